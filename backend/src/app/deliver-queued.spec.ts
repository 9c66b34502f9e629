import type { Backlog } from '../spool/backlog.ts';
import { ManualTime } from '../time/manual-time.fixture.ts';
import { type Deliveries, deliverQueued } from './deliver-queued.ts';

const EMPTY: Backlog = {
  queued: 0,
  delivered: 0,
  expired: 0,
  dropped: 0,
  erased: 0,
  stranded: 0,
  deadLetters: 0,
  isDeliverable: false,
};

/** Delivers some envelopes between two counts while it is started. */
class FakeDeliveries implements Deliveries {
  current: Backlog;
  /** Envelopes that are delivered between two counts. */
  perCount = 0;
  /** Envelopes that are committed only when deliveries stop. */
  inFlight = 0;
  /** Thrown by the next count after the first one. */
  fault: Error | null = null;
  /** Uptime before old envelopes expire. */
  settlingMs: number | undefined;
  #isStarted = false;

  constructor(queued: number, changes: Partial<Backlog> = {}) {
    this.current = { ...EMPTY, queued, isDeliverable: queued > 0, ...changes };
  }

  start({ spoolSettlingMs }: { readonly spoolSettlingMs: number }): void {
    this.settlingMs = spoolSettlingMs;
    this.#isStarted = true;
  }

  async stopDeliveries(): Promise<void> {
    this.#isStarted = false;
    this.#settle(this.inFlight);
  }

  async backlog(): Promise<Backlog> {
    if (!this.#isStarted) return this.current;
    const { fault } = this;
    this.fault = null;
    if (fault !== null) throw fault;
    this.#settle(this.perCount);
    return this.current;
  }

  #settle(most: number): void {
    const done = Math.min(most, this.current.queued);
    const queued = this.current.queued - done;
    const delivered = this.current.delivered + done;
    this.current = {
      ...this.current,
      queued,
      delivered,
      isDeliverable: this.current.isDeliverable && queued > 0,
    };
  }
}

describe('deliverQueued', () => {
  let time: ManualTime;
  let lines: string[];
  let stop: AbortController;

  beforeEach(() => {
    time = new ManualTime();
    lines = [];
    stop = new AbortController();
  });

  /** Runs to the end, from timer to timer. Returns the envelopes left and the time by the clock. */
  async function drained(deliveries: Deliveries, timeoutMs = 60_000): Promise<readonly [number, number]> {
    let hasEnded = false;
    const options = { timeoutMs, stop: stop.signal, print: (line: string) => void lines.push(line), time };
    const left = deliverQueued(deliveries, options).finally(() => (hasEnded = true));
    await time.moveUntil(() => hasEnded);
    return [await left, time.nowMs()];
  }

  it('ends with the count that finds no deliverable envelope', async () => {
    const deliveries = new FakeDeliveries(30, { delivered: 100 });
    deliveries.perCount = 10;

    expect(await drained(deliveries)).toEqual([0, 3_000]);
    expect(lines).toEqual(['delivered 30, left 0']);
  });

  it('ends at once when no envelope is deliverable', async () => {
    expect(await drained(new FakeDeliveries(4, { stranded: 4, isDeliverable: false }))).toEqual([4, 0]);
    expect(lines).toEqual(['delivered 0, left 4 (4 for upstreams that are not in the settings)']);
  });

  it('ends when the time is up, not at the next count after it', async () => {
    expect(await drained(new FakeDeliveries(30), 2_500)).toEqual([30, 2_500]);
  });

  it('ends at once when it is stopped', async () => {
    // After all promises that are due: the drain waits for its next count then.
    setImmediate(() => stop.abort());

    expect(await drained(new FakeDeliveries(30))).toEqual([30, 0]);
  });

  it('counts deliveries that are in flight at the end', async () => {
    const deliveries = new FakeDeliveries(30);
    deliveries.inFlight = 2;

    expect(await drained(deliveries, 0)).toEqual([28, 0]);
    expect(lines).toEqual(['delivered 2, left 28']);
  });

  it('counts again after a count that failed', async () => {
    const deliveries = new FakeDeliveries(10);
    deliveries.perCount = 10;
    deliveries.fault = new Error('the thread ended');

    expect(await drained(deliveries)).toEqual([0, 2_000]);
  });

  it('lets old envelopes expire from the beginning', async () => {
    const deliveries = new FakeDeliveries(0);
    await drained(deliveries);

    expect(deliveries.settlingMs).toBe(0);
  });

  it('prints one line every five seconds', async () => {
    const deliveries = new FakeDeliveries(120);
    deliveries.perCount = 10;

    await drained(deliveries);

    expect(lines).toEqual([
      'draining: delivered 50, left 70',
      'draining: delivered 100, left 20',
      'delivered 120, left 0',
    ]);
  });

  it('names the envelopes that ended otherwise since its start, and all stored dead letters', async () => {
    const deliveries = new FakeDeliveries(20, { expired: 7, dropped: 7, erased: 7, deadLetters: 1 });
    const ended = drained(deliveries);
    deliveries.current = {
      ...deliveries.current,
      queued: 0,
      expired: 9,
      dropped: 8,
      erased: 10,
      deadLetters: 6,
    };
    deliveries.current = { ...deliveries.current, isDeliverable: false };

    await ended;

    expect(lines).toEqual(['delivered 0, left 0 (6 dead letters, 2 expired, 1 dropped, 3 erased)']);
  });
});
