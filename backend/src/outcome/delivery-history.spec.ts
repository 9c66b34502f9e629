import { DeliveryHistory } from './delivery-history.ts';

const MINUTE_MS = 60_000;

describe('DeliveryHistory', () => {
  let nowMs: number;
  let history: DeliveryHistory;
  const add = (accepted: number, delivered: number): void =>
    history.add(
      [
        { fate: 'accepted', count: accepted },
        { fate: 'delivered', count: delivered },
      ],
      accepted - delivered,
    );
  const shown = () => history.lastHours().minutes.filter((minute) => minute !== null);

  beforeEach(() => {
    nowMs = 0;
    history = new DeliveryHistory(
      () => nowMs,
      () => Date.parse('2026-11-21T14:02:00Z') + nowMs,
    );
  });

  it('has the queue at the end of each minute, and the differences of the ledger in it', () => {
    add(100, 90);
    nowMs = 0.5 * MINUTE_MS;
    add(103, 91);
    nowMs = 1.1 * MINUTE_MS;
    add(110, 110);
    nowMs = 2 * MINUTE_MS;

    const { end, minutes } = history.lastHours();

    expect(end).toBe('2026-11-21T14:04:00.000Z');
    expect(minutes.slice(-3)).toEqual([
      null,
      { queued: 12, accepted: 3, delivered: 1 },
      { queued: 0, accepted: 7, delivered: 19 },
    ]);
  });

  it('shows the first minute at once, and a later one when it has ended', () => {
    add(0, 0);
    const first = history.lastHours();
    nowMs = 1.5 * MINUTE_MS;
    add(5, 0);

    expect(first.end).toBe('2026-11-21T14:03:00.000Z');
    expect(history.lastHours()).toEqual(first);
  });

  it('has a gap for minutes without an answer', () => {
    add(1, 1);
    nowMs = 3 * MINUTE_MS;
    add(2, 2);
    nowMs = 4 * MINUTE_MS;

    expect(history.lastHours().minutes.slice(-4)).toEqual([
      { queued: 0, accepted: 0, delivered: 0 },
      null,
      null,
      { queued: 0, accepted: 1, delivered: 1 },
    ]);
  });

  it('drops the first minute with the 181st', () => {
    for (let minute = 0; minute <= 180; minute += 1) {
      nowMs = minute * MINUTE_MS;
      add(minute, 0);
    }
    const full = shown();
    nowMs = 181 * MINUTE_MS;

    expect([full.length, full[0]?.queued, shown().length, shown()[0]?.queued]).toEqual([180, 0, 180, 1]);
  });

  it('begins again with the ledger of a new file, and has no negative minute', () => {
    add(100, 90);
    nowMs = MINUTE_MS;
    add(7, 3);
    nowMs = 2 * MINUTE_MS;

    expect(shown().at(-1)).toEqual({ queued: 4, accepted: 7, delivered: 3 });
  });
});
