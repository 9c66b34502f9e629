import { setImmediate } from 'node:timers/promises';
import type { Opened, SpoolWorkerData } from './protocol/spool-messages.ts';
import { type SpoolThread, SpoolUnavailable } from './spool-thread.ts';
import { LIMITS } from './spool.fixture.ts';
import { ThreadSupervisor } from './thread-supervisor.ts';

const DATA = { directory: '/unused', limits: LIMITS };
const OPENED: Opened = { lost: 0, lastId: 7, identity: 1, fill: 0, rateLimits: [] };

/** Starts threads that a test ends; a start fails while `failures` are left. */
class FakeThreads {
  failures = 0;
  starts = 0;
  readonly asked: string[] = [];
  /** Runs before a thread opens the file. */
  beforeOpen: () => Promise<void> = async () => undefined;
  onAsk: (call: string) => void = () => undefined;
  /** Ends the thread that runs. */
  kill: () => void = () => undefined;

  readonly start = async (_data: SpoolWorkerData, onDeath: (cause: Error) => void) => {
    this.starts += 1;
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error('the disk is full');
    }
    await this.beforeOpen();
    this.kill = () => onDeath(new Error('killed'));
    const ask = async (call: string): Promise<void> => {
      this.asked.push(`${call} ${this.starts}`);
      this.onAsk(call);
    };
    return { thread: { ask } as unknown as SpoolThread, opened: OPENED };
  };
}

describe('ThreadSupervisor', () => {
  let threads: FakeThreads;
  let deaths: string[];
  let supervisor: ThreadSupervisor;
  let isOpenAgain: PromiseWithResolvers<void>;
  /** The pause before a restart. */
  let pause: PromiseWithResolvers<void>;

  beforeEach(() => {
    threads = new FakeThreads();
    deaths = [];
    isOpenAgain = Promise.withResolvers();
    pause = Promise.withResolvers();
    pause.resolve();
    supervisor = new ThreadSupervisor(
      DATA,
      {
        onOpened: () => {
          if (threads.starts > 1) isOpenAgain.resolve();
        },
        onDeath: ({ message }) => deaths.push(message),
      },
      threads.start,
      () => pause.promise,
    );
  });

  afterEach(() => supervisor.close());

  it('is open once its thread has opened the file', async () => {
    const before = supervisor.isOpen;

    await supervisor.open();

    expect([before, supervisor.isOpen]).toEqual([false, true]);
  });

  it('rejects when the first thread does not start, and does not try again', async () => {
    threads.failures = 1;

    await expect(supervisor.open()).rejects.toThrow('the disk is full');
    await supervisor.open();

    expect(threads.starts).toBe(2);
  });

  it('rejects requests while the thread is dead, and sends them to the next one', async () => {
    await supervisor.open();

    threads.kill();
    const during = supervisor.ask('counts', null);

    expect(supervisor.isOpen).toBe(false);
    await expect(during).rejects.toBeInstanceOf(SpoolUnavailable);
    await isOpenAgain.promise;
    await supervisor.ask('counts', null);
    expect(threads.asked).toEqual(['counts 2']);
  });

  it('reports each failed restart and goes on trying', async () => {
    await supervisor.open();
    threads.failures = 2;

    threads.kill();
    await isOpenAgain.promise;

    expect(deaths).toEqual(['killed', 'the disk is full', 'the disk is full']);
  });

  it('starts one thread for each death, also for one right after a restart', async () => {
    const gate = Promise.withResolvers<void>();
    await supervisor.open();
    threads.kill();
    await isOpenAgain.promise;
    threads.beforeOpen = () => gate.promise;

    threads.kill();
    await setImmediate();
    const { starts } = threads;
    gate.resolve();

    expect(starts).toBe(3);
  });

  it('closes a thread that opens the file only after close', async () => {
    const started = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<string>();
    await supervisor.open();
    threads.onAsk = asked.resolve;
    threads.beforeOpen = () => {
      started.resolve();
      return gate.promise;
    };
    threads.kill();
    await started.promise;

    await supervisor.close();
    gate.resolve();
    await asked.promise;

    expect(supervisor.isOpen).toBe(false);
    expect(threads.asked).toEqual(['close 2']);
  });

  it('starts no thread after close', async () => {
    pause = Promise.withResolvers();
    await supervisor.open();
    threads.kill();

    await supervisor.close();
    pause.resolve();
    await setImmediate();

    expect(threads.starts).toBe(1);
  });

  it('has its thread close the file once', async () => {
    await supervisor.open();

    await supervisor.close();
    await supervisor.close();

    expect(threads.asked).toEqual(['close 1']);
  });

  it('throws on the death of a thread that was closed: nothing may start it again', async () => {
    await supervisor.open();

    await supervisor.close();

    expect(threads.kill).toThrow('closed -> recovering');
  });
});
