import { DeliveredEvents } from './delivered-events.ts';

function idOf(number: number): string {
  return number.toString(16).padStart(32, '0');
}

describe('DeliveredEvents', () => {
  it('returns the time and the number of tries of a delivery', () => {
    const events = new DeliveredEvents(4);
    events.add(idOf(1), { atMs: 10, tries: 1 });
    events.add(idOf(2), { atMs: 20, tries: 3 });

    expect([events.find(idOf(1)), events.find(idOf(2)), events.find(idOf(3))]).toEqual([
      { atMs: 10, tries: 1 },
      { atMs: 20, tries: 3 },
      null,
    ]);
  });

  it('keeps the newest deliveries, and the last one of each event', () => {
    const events = new DeliveredEvents(3);
    for (const [index, number] of [1, 2, 3, 2].entries())
      events.add(idOf(number), { atMs: index + 1, tries: 1 });

    expect([1, 2, 3].map((number) => events.find(idOf(number))?.atMs ?? null)).toEqual([null, 4, 3]);
  });

  it('finds nothing for an invalid event ID', () => {
    const events = new DeliveredEvents(3);

    expect([events.find(''), events.find('zz'), events.find(idOf(0))]).toEqual([null, null, null]);
  });
});
