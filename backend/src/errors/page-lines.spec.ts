import { ManualTime } from '../time/manual-time.fixture.ts';
import { PageLines } from './page-lines.ts';

const LINE = 'Card payments fail since 14:00 UTC.';

/** A store whose answers the test gives. */
class FakeStore {
  readonly asked: string[] = [];
  answer: () => Promise<string | null> = () => Promise.resolve(LINE);

  readonly lookUp = (key: string): Promise<string | null> => {
    this.asked.push(key);
    return this.answer();
  };
}

describe('PageLines', () => {
  let store: FakeStore;
  let time: ManualTime;
  let lines: PageLines;

  beforeEach(() => {
    store = new FakeStore();
    time = new ManualTime();
    lines = new PageLines(store.lookUp, time);
  });

  async function pass(ms: number): Promise<void> {
    time.startTimer(ms, () => {});
    await time.toNextTimer();
  }

  const unavailable = () => Promise.reject(new Error('the store is away'));

  it('asks once a second for all pages of a fault, also for those at the same time', async () => {
    const first = await Promise.all(Array.from({ length: 1_000 }, () => lines.lineOf('a')));
    await pass(999);
    await lines.lineOf('a');
    const before = store.asked.length;
    await pass(1);
    await lines.lineOf('a');

    expect(new Set(first)).toEqual(new Set([LINE]));
    expect([before, store.asked.length]).toEqual([1, 2]);
  });

  it('has another line, or none, a second later', async () => {
    await lines.lineOf('a');
    store.answer = () => Promise.resolve(null);
    const early = await lines.lineOf('a');
    await pass(1_000);

    expect([early, await lines.lineOf('a')]).toEqual([LINE, null]);
  });

  it('has the line of each fault by its key', async () => {
    await lines.lineOf('a');
    store.answer = () => Promise.resolve(null);

    expect(await lines.lineOf('b')).toBeNull();
    expect(store.asked).toEqual(['a', 'b']);
  });

  it('waits 100 ms for a store that does not answer, and asks no second time meanwhile', async () => {
    store.answer = () => new Promise(() => {});
    const waiting = lines.lineOf('a');
    const endedMs = await time.toNextTimer();
    const line = await waiting;
    await pass(5_000);
    const again = lines.lineOf('a');
    await time.toNextTimer();

    expect([endedMs, line, await again]).toEqual([100, null, null]);
    expect(store.asked).toEqual(['a']);
  });

  it('has the last known line while the store is away, and none without one', async () => {
    await lines.lineOf('a');
    store.answer = unavailable;
    await pass(60_000);

    expect([await lines.lineOf('a'), await lines.lineOf('b')]).toEqual([LINE, null]);
  });
});
