import type { LiveEvent } from '../../contract/live-api.ts';
import type { EventStore } from '../../store/event-store.ts';
import { LiveFeed, type LiveListener } from './live-feed.ts';

/** A store whose events are numbers; some may become visible later than larger ones, as in PostgreSQL. */
class FakeStore {
  readonly ids: number[] = [];
  looks = 0;
  isAway = false;

  ask(call: string, afterId = 0, missing: readonly number[] = [], limit = 0): Promise<unknown> {
    this.looks += 1;
    if (this.isAway) return Promise.reject(new Error('away'));
    const lastId = Math.max(0, ...this.ids);
    if (call === 'lastEventId') return Promise.resolve(lastId);
    const news = this.ids.filter((id) => id > afterId).toSorted((a, b) => a - b);
    const late = this.ids.filter((id) => missing.includes(id));
    const rows = [...late, ...news.slice(-limit)].map((id) => ({ id, event: { eventId: String(id) } }));
    return Promise.resolve({ rows, passed: Math.max(0, news.length - limit), lastId });
  }
}

class Onlooker implements LiveListener {
  readonly seen: string[] = [];
  passed = 0;
  cursor = 0;
  hasEnded = false;

  take(events: readonly LiveEvent[], passed: number, cursor: number): void {
    this.seen.push(...events.map(({ eventId }) => eventId));
    this.passed += passed;
    this.cursor = cursor;
  }

  end(): void {
    this.hasEnded = true;
  }
}

describe('LiveFeed', () => {
  let store: FakeStore;
  let feed: LiveFeed;
  /** Resolves the wait for the next second. */
  let tick: () => void;

  beforeEach(() => {
    store = new FakeStore();
    tick = () => {};
    const wait = (): Promise<unknown> => new Promise<void>((resolve) => (tick = resolve));
    feed = new LiveFeed(store as unknown as Pick<EventStore, 'ask'>, wait);
  });

  /** Lets a second pass and its query end. */
  async function second(): Promise<void> {
    tick();
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  }

  it('sends events that are stored after a listener has joined', async () => {
    store.ids.push(1, 2);
    const onlooker = new Onlooker();
    await feed.join(onlooker, null);
    await second();
    store.ids.push(3, 4);
    await second();
    await second();

    expect(onlooker).toMatchObject({ seen: ['3', '4'], passed: 0, cursor: 4 });
  });

  it('sends missed events to a listener that comes back, and continues from there', async () => {
    store.ids.push(1, 2, 3);
    const onlooker = new Onlooker();
    await feed.join(onlooker, 1);
    store.ids.push(4);
    await second();

    expect(onlooker.seen).toEqual(['2', '3', '4']);
  });

  it('sends each of two listeners the events since it joined', async () => {
    const [first, other] = [new Onlooker(), new Onlooker()];
    await feed.join(first, null);
    store.ids.push(1);
    await feed.join(other, null);
    store.ids.push(2);
    await second();

    expect([first.seen, other.seen]).toEqual([['1', '2'], ['2']]);
  });

  it('queries once a second for all listeners, and never without one', async () => {
    const leave = [await feed.join(new Onlooker(), null), await feed.join(new Onlooker(), null)];
    const joined = store.looks;
    await second();
    const afterOne = store.looks;
    for (const end of leave) end();
    await second();
    await second();

    expect([afterOne - joined, store.looks - afterOne, feed.listeners]).toEqual([1, 0, 0]);
  });

  it('starts at the newest event for a listener that joins after all others have left', async () => {
    const leave = await feed.join(new Onlooker(), null);
    leave();
    await second();
    store.ids.push(1);
    const onlooker = new Onlooker();
    await feed.join(onlooker, null);
    store.ids.push(2);
    await second();

    expect(onlooker.seen).toEqual(['2']);
  });

  it('counts the events above the limit', async () => {
    const onlooker = new Onlooker();
    await feed.join(onlooker, null);
    store.ids.push(...Array.from({ length: 80 }, (_, index) => index + 1));
    await second();

    expect([onlooker.seen.length, onlooker.passed, onlooker.seen[0]]).toEqual([50, 30, '31']);
  });

  it('sends an event that became visible after a later one, once', async () => {
    const onlooker = new Onlooker();
    await feed.join(onlooker, null);
    store.ids.push(1, 3);
    await second();
    store.ids.push(2);
    await second();
    await second();

    expect(onlooker).toMatchObject({ seen: ['1', '3', '2'], cursor: 3 });
  });

  it('does not look for a number for ever that was never used', async () => {
    const onlooker = new Onlooker();
    await feed.join(onlooker, null);
    store.ids.push(2);
    for (let looks = 0; looks < 12; looks += 1) await second();
    store.ids.push(1);
    await second();

    expect(onlooker.seen).toEqual(['2']);
  });

  it('goes on when the store is back', async () => {
    const onlooker = new Onlooker();
    await feed.join(onlooker, null);
    store.isAway = true;
    await second();
    store.isAway = false;
    store.ids.push(1);
    await second();

    expect(onlooker.seen).toEqual(['1']);
  });

  it('ends all listeners, and those that join afterwards', async () => {
    const [first, late] = [new Onlooker(), new Onlooker()];
    await feed.join(first, null);
    feed.close();
    await feed.join(late, null);

    expect([first.hasEnded, late.hasEnded]).toEqual([true, true]);
  });
});
