import { setImmediate } from 'node:timers/promises';
import { type After, every } from './every.ts';

/** Pauses that end when a test says so. */
class FakePauses {
  readonly asked: number[] = [];
  #run: (() => void) | null = null;

  readonly after: After = (ms, run) => {
    this.asked.push(ms);
    this.#run = run;
    return () => {
      this.#run = null;
    };
  };

  get isPausing(): boolean {
    return this.#run !== null;
  }

  /** Ends the pause, and waits until the run has ended or waits for something else. */
  async end(): Promise<void> {
    const run = this.#run;
    this.#run = null;
    run?.();
    await setImmediate();
  }
}

describe('every', () => {
  let pauses: FakePauses;
  let errors: unknown[];
  let runs: number;
  const count = async (): Promise<void> => {
    runs += 1;
  };
  const onError = (error: unknown): void => void errors.push(error);

  beforeEach(() => {
    pauses = new FakePauses();
    errors = [];
    runs = 0;
  });

  it('runs after each pause', async () => {
    every({ everyMs: 100 }, count, onError, pauses.after);

    const before = runs;
    await pauses.end();
    await pauses.end();

    expect([before, runs]).toEqual([0, 2]);
    expect(pauses.asked).toEqual([100, 100, 100]);
  });

  it('runs at once where the schedule says so', async () => {
    every({ everyMs: 100, isAtOnce: true }, count, onError, pauses.after);

    expect(runs).toBe(1);
  });

  it('runs at once on request, and begins the pause anew', async () => {
    const job = every({ everyMs: 100 }, count, onError, pauses.after);

    job.runNow();
    await setImmediate();

    expect([runs, pauses.asked]).toEqual([1, [100, 100]]);
  });

  it('runs again after a run under way on request, once', async () => {
    const release = Promise.withResolvers<void>();
    const job = every(
      { everyMs: 100, isAtOnce: true },
      () => count().then(() => release.promise),
      onError,
      pauses.after,
    );

    job.runNow();
    job.runNow();
    release.resolve();
    await setImmediate();
    await pauses.end();

    expect([runs, pauses.asked]).toEqual([2, [0, 100]]);
  });

  it('runs no more on request after it was stopped', () => {
    const job = every({ everyMs: 100 }, count, onError, pauses.after);

    job.stop();
    job.runNow();

    expect(runs).toBe(0);
  });

  it('starts no pause while a run is under way', async () => {
    const release = Promise.withResolvers<void>();
    every({ everyMs: 10, isAtOnce: true }, () => release.promise, onError, pauses.after);

    const during = pauses.isPausing;
    release.resolve();
    await setImmediate();

    expect([during, pauses.isPausing]).toEqual([false, true]);
  });

  it('reports a failed run and tries again after the pause for failures', async () => {
    const fail = async (): Promise<void> => {
      throw new Error('no database');
    };
    every({ everyMs: 1_000, retryMs: 50, isAtOnce: true }, fail, onError, pauses.after);

    await setImmediate();

    expect(errors).toEqual([new Error('no database')]);
    expect(pauses.asked).toEqual([50]);
  });

  it('starts no run after stop', async () => {
    const job = every({ everyMs: 10 }, count, onError, pauses.after);

    job.stop();
    await pauses.end();

    expect(runs).toBe(0);
  });

  it('ends with the run that is under way at stop, and does not report its failure', async () => {
    const release = Promise.withResolvers<void>();
    const job = every({ everyMs: 10, isAtOnce: true }, () => release.promise, onError, pauses.after);

    job.stop();
    release.reject(new Error('the store is closed'));
    await setImmediate();

    expect([errors, pauses.isPausing]).toEqual([[], false]);
  });
});
