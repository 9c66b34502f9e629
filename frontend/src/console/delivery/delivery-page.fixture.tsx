import { screen, within } from '@testing-library/react';
import { json, type Answers } from '../../api/fake-server.fixture.ts';
import { ALL_WELL, OPERATOR, openConsole } from '../console.fixture.tsx';
import { ALERTS, DEAD_LETTER, DELIVERY, deadLetter } from './delivery.fixture.ts';

export const LETTERS = [
  deadLetter(7, { reason: 'send_error' }),
  deadLetter(6, { reason: 'malformed', status: null, canRedrive: false }),
];

const WELL: Answers = {
  ...ALL_WELL,
  'GET /console/api/session': OPERATOR,
  'GET /console/api/delivery': () => json(DELIVERY),
  'GET /console/api/alerts': () => json(ALERTS),
  'GET /console/api/dead-letters': () => json({ deadLetters: LETTERS, next: null }),
  'GET /console/api/dead-letters/7-k3x9': () => json(DEAD_LETTER),
};

export function openDelivery(answers: Answers = {}) {
  return openConsole('/console/delivery', { ...WELL, ...answers });
}

export async function list() {
  return within(await screen.findByRole('list', { name: 'Dead letters' }));
}
