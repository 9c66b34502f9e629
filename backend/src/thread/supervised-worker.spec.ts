import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { TestCalls } from './calls.worker.fixture.ts';
import { SupervisedWorker } from './supervised-worker.ts';
import { WorkerEnded } from './worker-rpc.ts';

const READY = `require('node:worker_threads').parentPort.postMessage({ kind: 'notice', notice: 'ready' });`;

function workerOf(statements: string): Worker {
  return new Worker(statements, { eval: true });
}

function goodWorker(): Worker {
  return new Worker(new URL('./calls.worker.fixture.ts', import.meta.url));
}

function noRoom(): never {
  throw new Error('no room for a thread');
}

describe('SupervisedWorker', () => {
  let starts: Worker[];
  /** Starts the next worker. */
  let start: () => Worker;
  let notices: unknown[];
  let deaths: string[];
  let isReady: PromiseWithResolvers<void>;
  let isDead: PromiseWithResolvers<void>;
  /** The pause before a restart, and its lengths. */
  let pause: PromiseWithResolvers<void>;
  let pauses: number[];
  let supervised: SupervisedWorker<TestCalls>;

  beforeEach(() => {
    starts = [];
    start = goodWorker;
    notices = [];
    deaths = [];
    pauses = [];
    isReady = Promise.withResolvers();
    isDead = Promise.withResolvers();
    pause = Promise.withResolvers();
    supervised = new SupervisedWorker({
      start: () => {
        const worker = start();
        starts.push(worker);
        return worker;
      },
      pauseMs: { min: 100, max: 300 },
      onReady: (notice) => {
        notices.push(notice);
        isReady.resolve();
      },
      onDeath: ({ message }) => {
        deaths.push(message);
        isDead.resolve();
      },
      pause: (ms) => {
        pauses.push(ms);
        return pause.promise;
      },
    });
  });

  afterEach(() => supervised.terminate());

  /** Ends the worker that runs, and returns once that is known. */
  async function kill(): Promise<void> {
    isReady = Promise.withResolvers();
    isDead = Promise.withResolvers();
    void starts.at(-1)?.terminate();
    await isDead.promise;
  }

  /** Ends the pause, and returns once a good worker is ready. */
  async function recover(): Promise<void> {
    start = goodWorker;
    endPause();
    await isReady.promise;
  }

  /** Ends the pause, and the next one begins. */
  function endPause(): void {
    pause.resolve();
    pause = Promise.withResolvers();
  }

  it('runs once its worker has posted the first notice of its own', async () => {
    const before = supervised.isRunning;

    await supervised.open();

    expect([before, supervised.isRunning, notices]).toEqual([false, true, ['ready']]);
  });

  it('rejects with the error of a first worker that ends before it is ready, and starts no other', async () => {
    start = () => workerOf(`throw new Error('the disk is full')`);

    await expect(supervised.open()).rejects.toThrow('the disk is full');

    expect([deaths, pauses]).toEqual([[], []]);
  });

  it('refuses requests while the worker is dead, and sends them to the next one', async () => {
    await supervised.open();
    const pending = supervised.request('held', ['never']).catch((error: unknown) => error);

    await kill();

    expect(await pending).toBeInstanceOf(WorkerEnded);
    await expect(supervised.request('echo', [1])).rejects.toBeInstanceOf(WorkerEnded);
    endPause();
    await isReady.promise;
    expect(await supervised.request('echo', [2])).toBe(2);
  });

  it('refuses requests until the next worker is ready', async () => {
    await supervised.open();
    start = () => workerOf('setInterval(() => undefined, 60_000)');
    await kill();

    endPause();
    await setImmediate();

    expect(starts).toHaveLength(2);
    await expect(supervised.request('echo', [1])).rejects.toThrow(
      'the thread is not running: the thread ended',
    );
  });

  it('reports each failed restart and goes on trying, after a doubled pause, until a request succeeds', async () => {
    await supervised.open();
    await kill();
    start = () => workerOf(`throw new Error('the disk is full')`);
    for (let restart = 0; restart < 2; restart += 1) {
      isDead = Promise.withResolvers();
      endPause();
      await isDead.promise;
    }
    await recover();
    await supervised.request('echo', [1]);
    await kill();

    expect(deaths.slice(1, 3)).toEqual(['the disk is full', 'the disk is full']);
    expect(pauses).toEqual([100, 200, 300, 100]);
  });

  it('takes a start that throws for a death', async () => {
    await supervised.open();
    await kill();
    start = noRoom;
    isDead = Promise.withResolvers();

    endPause();
    await isDead.promise;
    await recover();

    expect([deaths.length, pauses]).toEqual([2, [100, 200]]);
    expect(await supervised.request('echo', [1])).toBe(1);
  });

  it('takes a first start that throws for a death, too, without open()', async () => {
    start = noRoom;
    supervised.start();
    await isDead.promise;
    await recover();

    expect([deaths, pauses]).toEqual([['the thread did not start'], [100]]);
  });

  it('rejects when the start of the first worker throws', async () => {
    start = noRoom;

    await expect(supervised.open()).rejects.toBeInstanceOf(WorkerEnded);
  });

  it('reports the death of a worker that ends right behind its notice, and starts the next one', async () => {
    start = () => workerOf(`${READY} process.exit(1);`);

    await supervised.open();
    await isDead.promise;

    expect([deaths.length, pauses]).toEqual([1, [100]]);
  });

  it('has its worker close once, and reports no death', async () => {
    await supervised.open();
    const [worker] = starts;
    const exit = worker === undefined ? undefined : once(worker, 'exit');

    await supervised.close();
    await supervised.close();
    await exit;

    expect([deaths, supervised.isRunning]).toEqual([[], false]);
    await expect(supervised.request('echo', [1])).rejects.toBeInstanceOf(WorkerEnded);
  });

  it('closes a worker that is ready only after close, and reports neither', async () => {
    await supervised.open();
    await kill();
    endPause();
    await setImmediate();
    const [, second] = starts;
    const exit = second === undefined ? undefined : once(second, 'exit');

    await supervised.close();
    await exit;

    expect([notices, deaths.length]).toEqual([['ready'], 1]);
  });

  it('starts no worker after close', async () => {
    await supervised.open();
    await kill();

    await supervised.close();
    endPause();
    await setImmediate();

    expect(starts).toHaveLength(1);
  });
});
