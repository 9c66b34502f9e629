import { CONSOLE_DEAD_LETTERS_PATH, CONSOLE_DELIVERY_PATH } from '../../contract/delivery-api.ts';
import { CURSOR, type Operation } from './operation.ts';

/** The operations on queue, destinations and dead letters. */
export const DELIVERY_OPERATIONS: readonly Operation[] = [
  {
    id: 'getDelivery',
    method: 'get',
    path: CONSOLE_DELIVERY_PATH,
    summary: 'Delivery ledger, queue and destinations.',
    role: 'support',
    response: 'DeliveryState',
  },
  {
    id: 'getDeliveryVerdict',
    method: 'get',
    path: `${CONSOLE_DELIVERY_PATH}/verdict`,
    summary: 'Whether events move, wait, or need an operator; cheap enough to poll.',
    role: 'support',
    response: 'DeliveryVerdict',
  },
  {
    id: 'retry',
    method: 'post',
    path: `${CONSOLE_DELIVERY_PATH}/retry`,
    summary: 'Tries each failing destination at once.',
    role: 'operator',
    response: 'RetryResult',
  },
  {
    id: 'discardWaiting',
    method: 'post',
    path: `${CONSOLE_DELIVERY_PATH}/discard`,
    summary: 'Discards envelopes that wait for a DSN outside the settings.',
    role: 'operator',
    body: 'StrandedChoice',
    response: 'DeadLetterResult',
  },
  {
    id: 'listDeadLetters',
    method: 'get',
    path: CONSOLE_DEAD_LETTERS_PATH,
    summary: 'Envelopes that no destination accepts, newest first.',
    role: 'support',
    query: { cursor: CURSOR },
    response: 'DeadLetterList',
  },
  {
    id: 'getDeadLetter',
    method: 'get',
    path: `${CONSOLE_DEAD_LETTERS_PATH}/:id`,
    summary: 'Content of a dead letter, secrets removed.',
    role: 'support',
    response: 'DeadLetterDetail',
  },
  {
    id: 'redrive',
    method: 'post',
    path: `${CONSOLE_DEAD_LETTERS_PATH}/redrive`,
    summary: 'Sends dead letters again.',
    role: 'operator',
    body: 'DeadLetterChoice',
    response: 'DeadLetterResult',
  },
  {
    id: 'discard',
    method: 'post',
    path: `${CONSOLE_DEAD_LETTERS_PATH}/discard`,
    summary: 'Discards dead letters permanently; counters stay.',
    role: 'operator',
    body: 'DeadLetterChoice',
    response: 'DeadLetterResult',
  },
];
