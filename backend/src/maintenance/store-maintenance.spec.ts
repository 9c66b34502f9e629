import { HOUR_MS } from '../time/iso.ts';
import { earlyWarning } from './store-maintenance.ts';

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
    [{ events: 3 }, 'store_evicting_early'],
    [{ events: 5 }, 'store_evicting_early'],
  ]);
});
