import type { DeliveryCause, DeliveryVerdict } from '../../contract/delivery-api.ts';
import { HOUR_MS } from '../../time/iso.ts';
import { DroppedErrors, problemsOf } from './problems.ts';

const place = 'sentry.example/42';
const EMPTY = { fill: 0, deadLetters: 0 };

function verdict(kind: DeliveryCause['kind'], changes: Partial<DeliveryCause> = {}): DeliveryVerdict {
  const nothing = { place: null, key: null, reason: null, since: null, until: null, envelopes: null };
  return { level: 'action', causes: [{ ...nothing, kind, level: 'action', ...changes }] };
}

const MOVING: DeliveryVerdict = { level: 'moving', causes: [] };

/** Returns each problem as `kind place reason count`. */
const textsOf = (...state: Parameters<typeof problemsOf>) =>
  problemsOf(...state).map(({ kind, ...of }) => `${kind} ${of.place} ${of.reason} ${of.count}`);

it.each<[string, DeliveryVerdict, readonly string[]]>([
  ['that moves', MOVING, []],
  ['with a limited destination', verdict('limited', { place, level: 'queued' }), []],
  ['with one that fails', verdict('failing', { place, level: 'queued' }), [`failing ${place} null null`]],
  [
    'with a paused one',
    verdict('paused', { place, reason: 'status_403' }),
    [`paused ${place} status_403 null`],
  ],
  ['whose store fails', verdict('failing', { reason: 'store_down' }), ['failing null store_down null']],
  ['with a full disk', verdict('rejecting', { reason: 'disk_full' }), ['rejecting null disk_full null']],
  ['without a DSN', verdict('stranded', { place, envelopes: 12 }), [`stranded ${place} null 12`]],
  ['with another balance', verdict('unequal', { envelopes: -1 }), ['unequal null null -1']],
])('a process %s has the problems of its verdict', (_, ofProcess, expected) => {
  expect(textsOf(ofProcess, EMPTY, false)).toEqual(expected);
});

it.each<[string, Partial<typeof EMPTY>, boolean, readonly string[]]>([
  ['a queue below its threshold', { fill: 0.699 }, false, []],
  ['a queue at it', { fill: 0.7 }, false, ['queue_fill null null 70']],
  ['a dead letter', { deadLetters: 1 }, false, ['dead_letters null null 1']],
  ['dropped errors', {}, true, ['errors_dropped null null null']],
])('%s counts beside the verdict', (_, counts, hasDropped, expected) => {
  expect(textsOf(MOVING, { ...EMPTY, ...counts }, hasDropped)).toEqual(expected);
});

describe('errors', () => {
  const dropped = (quantity: number, changes: object = {}) =>
    ({ category: 'error', reason: 'queue_overflow', quantity, ...changes }) as const;

  it('were dropped within the last hour from the first new one on', () => {
    const errors = new DroppedErrors();

    const states = (
      [
        [0, 7],
        [60_000, 7],
        [120_000, 8],
        [120_000 + HOUR_MS - 1, 8],
        [120_000 + HOUR_MS, 8],
      ] as const
    ).map(([nowMs, quantity]) => errors.isRecent([dropped(quantity)], nowMs));

    expect(states).toEqual([false, false, true, true, false]);
  });

  it.each<[string, object]>([
    ['an upstream refused', { reason: 'send_error' }],
    ['are replays', { category: 'replay' }],
  ])('that %s were not', (_, changes) => {
    const errors = new DroppedErrors();

    const states = [1, 2].map((quantity) => errors.isRecent([dropped(quantity, changes)], 0));

    expect(states).toEqual([false, false]);
  });

  it('are counted from 0 in a new file', () => {
    const errors = new DroppedErrors();

    const states = [5, 0, 1].map((quantity) => errors.isRecent([dropped(quantity)], 0));

    expect(states).toEqual([false, false, true]);
  });
});
