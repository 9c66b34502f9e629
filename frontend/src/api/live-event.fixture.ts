import type { LiveEvent } from '@errata/backend/contract/live-api.ts';

/** Returns a new event, identified by its number. */
export function liveEvent(number: number, rest: Partial<LiveEvent> = {}): LiveEvent {
  return {
    eventId: String(number).padStart(32, '0'),
    reference: '0000-0001',
    time: '2026-11-21T03:05:00Z',
    path: '/checkout',
    browser: 'Firefox 149 on macOS',
    release: '1.4.2',
    environment: 'production',
    user: 'ann@example.org',
    server: null,
    project: '1',
    digest: '7KQ4-M2XD',
    address: rest.digest ?? '7KQ4-M2XD',
    isShared: false,
    kind: 'server',
    title: `TypeError: cart ${number} is undefined`,
    isNew: false,
    ...rest,
  };
}
