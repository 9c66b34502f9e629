import type { AlertState } from '@errata/backend/contract/alerts-api.ts';
import type {
  DeadLetterDetail,
  DeadLetterSummary,
  DeliveryCause,
  DeliveryState,
} from '@errata/backend/contract/delivery-api.ts';

/** A destination that needs an operator. */
export const FAILING: DeliveryCause = {
  kind: 'failing',
  level: 'action',
  place: 'sentry.example/42',
  key: '0123abcd',
  reason: 'status_503',
  since: '2026-11-21T03:01:30Z',
  until: null,
  envelopes: null,
};

export const DELIVERY: DeliveryState = {
  process: null,
  verdict: {
    level: 'queued',
    causes: [{ ...FAILING, level: 'queued' }],
  },
  errorsExpire: '2026-11-28T03:01:00Z',
  accepted: 12_481,
  delivered: 12_402,
  queued: 67,
  deadLettered: 12,
  expired: 0,
  dropped: 0,
  erased: 0,
  missing: 0,
  ledger: [
    { fate: 'accepted', reason: '', count: 12_480 },
    { fate: 'accepted', reason: 'redriven', count: 1 },
    { fate: 'delivered', reason: '', count: 12_402 },
    { fate: 'dead_lettered', reason: 'status_429', count: 9 },
    { fate: 'dead_lettered', reason: 'status_413', count: 3 },
  ],
  classes: [
    { class: 0, envelopes: 60, bytes: 3_000_000, oldest: '2026-11-21T03:01:00Z' },
    { class: 1, envelopes: 7, bytes: 250_586, oldest: '2026-11-21T03:04:00Z' },
    { class: 2, envelopes: 0, bytes: 0, oldest: null },
    { class: 3, envelopes: 0, bytes: 0, oldest: null },
    { class: 4, envelopes: 0, bytes: 0, oldest: null },
  ],
  droppedItems: [
    { reason: 'ratelimit_backoff', category: 'transaction', quantity: 240 },
    { reason: 'queue_overflow', category: 'replay', quantity: 3 },
  ],
  fill: 0.006,
  deadLetters: 2,
  bytes: 3_250_586,
  maxBytes: 536_870_912,
  stored: 12_481,
  stranded: [],
  rejected: [],
  rejectedSince: null,
  rejectedDsns: [],
  history: {
    end: '2026-11-21T03:05:00Z',
    minutes: Array.from({ length: 180 }, (_, minute) =>
      minute < 170
        ? null
        : { queued: Math.max(0, minute - 175) * 9, accepted: 9, delivered: minute < 176 ? 9 : 0 },
    ),
  },
  policy: null,
  policyLeftOut: 0,
  sinks: [
    {
      name: 'upstream sentry.example/42 0123abcd',
      place: 'sentry.example/42',
      key: '0123abcd',
      state: 'failing',
      reason: 'status_503',
      since: '2026-11-21T03:01:30Z',
      limits: [{ category: 'transaction', until: '2026-11-21T03:09:00Z' }],
      queued: 67,
      lastDelivered: '2026-11-21T03:01:00Z',
    },
    {
      name: 'store',
      place: null,
      key: null,
      state: 'flowing',
      reason: null,
      limits: [],
      queued: 0,
      lastDelivered: '2026-11-21T03:05:00Z',
    },
  ],
};

export function deadLetter(number: number, rest: Partial<DeadLetterSummary> = {}): DeadLetterSummary {
  return {
    id: `${number}-k3x9`,
    project: 'https://public@sentry.example/42',
    eventId: String(number).padStart(32, '0'),
    received: '2026-11-21T02:58:00Z',
    deadLettered: '2026-11-21T03:00:00Z',
    reason: 'send_error',
    status: 413,
    detail: 'envelope exceeds size limit',
    bytes: 1_300_000,
    canRedrive: true,
    ...rest,
  };
}

export const DEAD_LETTER: DeadLetterDetail = {
  ...deadLetter(7),
  beginning: null,
  unread: null,
  origin: 'https://shop.example',
  userAgent: null,
  items: [
    {
      type: 'event',
      bytes: 1_200,
      text: '{\n  "message": "cart is undefined",\n  "password": "[Filtered]"\n}',
    },
    { type: 'attachment', bytes: 1_298_800, text: null },
  ],
};

const FILTER = { on: null, kinds: null, environments: null, projects: null, level: 'error' } as const;

/** A target that gets its messages, and one that has not accepted any since the night. */
export const ALERTS: AlertState = {
  hasLinks: true,
  targets: [
    {
      id: '1f2e3d4c5b6a7988',
      name: 'Slack',
      filter: { ...FILTER, environments: ['production'] },
      waiting: 0,
      lastSent: '2026-11-21T03:03:00Z',
      failing: null,
    },
    {
      id: '8897a6b5c4d3e2f1',
      name: 'hooks.example',
      filter: { ...FILTER, on: ['issue.new'], level: 'warning' },
      waiting: 3,
      lastSent: null,
      failing: { since: '2026-11-21T01:30:00Z', attempts: 9, reason: 'status_410' },
    },
  ],
};
