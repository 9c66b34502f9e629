import { HOUR_MS } from '../time/iso.ts';
import type { EventStore } from '../store/event-store.ts';
import { earlyWarning, retention } from './store-maintenance.ts';

it.each([
  [0, ['retain', 'earlyEvictions']],
  [1, ['retain', 'saveAgesMeasured 1', 'earlyEvictions']],
])('saves the time of a retention, but not while nothing may be old: %d', async (nowMs, expected) => {
  const asked: string[] = [];
  const ask = (name: string, value: unknown) => {
    asked.push(typeof value === 'number' ? `${name} ${value}` : name);
    return Promise.resolve(name === 'retain' ? { events: 0, issues: 0, feedback: 0 } : 0);
  };
  const log = { info: () => undefined, warn: () => undefined };

  await retention({ ask } as unknown as EventStore, log)({ maxAgeMs: 1, maxBytes: 1 }, nowMs);

  expect(asked).toEqual(expected);
});

it('logs once an hour that events are deleted for space', () => {
  const lines: unknown[] = [];
  let nowMs = 0;
  const warn = earlyWarning({ warn: (...line: unknown[]) => void lines.push(line) }, () => nowMs);

  for (const [events, atMs] of [
    [0, 0],
    [3, 0],
    [4, HOUR_MS - 1],
    [5, HOUR_MS],
  ] as const) {
    nowMs = atMs;
    warn(events);
  }

  expect(lines).toEqual([
    [{ deleted: 3 }, 'store_evicting_early'],
    [{ deleted: 5 }, 'store_evicting_early'],
  ]);
});

it('logs events that were deleted for space by a retention of which a later step failed', async () => {
  const lines: unknown[] = [];
  const log = { info: () => undefined, warn: (...line: unknown[]) => void lines.push(line) };
  const ask = (procedure: string) =>
    procedure === 'retain' ? Promise.reject(new Error('kept')) : Promise.resolve(7);
  const retain = retention({ ask } as unknown as EventStore, log);

  await expect(retain({ maxAgeMs: 1, maxBytes: 1 }, 0)).rejects.toThrow('kept');

  expect(lines).toEqual([[{ deleted: 7 }, 'store_evicting_early']]);
});
