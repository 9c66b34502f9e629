import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { SpoolThread } from './spool-thread.ts';
import { LIMITS } from './spool.fixture.ts';

const DATA = { directory: '/unused', limits: LIMITS };

/** A worker that runs these statements; `post` sends a message to the main thread. */
function workerOf(statements: string, workerData?: Int32Array): Worker {
  const post = 'const post = (message) => parentPort.postMessage(message);';
  return new Worker(
    `const { parentPort, workerData } = require('node:worker_threads'); ${post} ${statements}`,
    {
      eval: true,
      workerData,
    },
  );
}

const OPENED = `post({ kind: 'notice', notice: { lastId: 7 } });`;
/** Keeps the worker alive without a reply. */
const SILENT = 'parentPort.on("message", () => {});';

describe('SpoolThread', () => {
  it('starts once the worker has opened the file, and ignores what others post before', async () => {
    const worker = workerOf(`post({ 'watch:import': [] }); post({ kind: 'opened' }); ${OPENED} ${SILENT}`);

    const { opened } = await SpoolThread.start(
      DATA,
      () => undefined,
      () => worker,
    );

    await worker.terminate();
    expect(opened).toEqual({ lastId: 7 });
  });

  it('does not start when the thread ends first, with the error that ended it', async () => {
    const deaths: Error[] = [];

    const started = SpoolThread.start(
      DATA,
      (cause) => deaths.push(cause),
      () => workerOf(`throw new Error('no room')`),
    );

    await expect(started).rejects.toThrow('no room');
    expect(deaths).toEqual([]);
  });

  it('does not start when the thread ends right behind its notice', async () => {
    const deaths: Error[] = [];
    const ending = new Int32Array(new SharedArrayBuffer(4));
    const worker = workerOf(
      `process.once('exit', () => { Atomics.store(workerData, 0, 1); Atomics.notify(workerData, 0); });
       ${OPENED} process.exit(1);`,
      ending,
    );
    const exit = once(worker, 'exit');

    const started = SpoolThread.start(
      DATA,
      (cause) => deaths.push(cause),
      () => worker,
    );
    // Keeps the event loop busy until the thread has ended: its notice and its end then arrive in one turn.
    Atomics.wait(ending, 0, 0);
    // The thread posts its end right behind its last listener.
    Atomics.wait(ending, 0, 1, 100);

    await expect(started).rejects.toThrow('right after');
    await exit;
    expect(deaths).toEqual([]);
  });

  it('rejects pending requests and reports the death when the thread ends later', async () => {
    const death = Promise.withResolvers<Error>();
    const worker = workerOf(`${OPENED} ${SILENT}`);
    const { thread } = await SpoolThread.start(DATA, death.resolve, () => worker);

    const pending = thread.ask('counts', null);
    void worker.terminate();

    await expect(pending).rejects.toMatchObject({ name: 'SpoolUnavailable', reason: 'error' });
    expect(await death.promise).toMatchObject({ name: 'WorkerEnded' });
  });

  it('reports no death after it was asked to close', async () => {
    const deaths: Error[] = [];
    const worker = workerOf(`${OPENED} parentPort.on('message', ({ id }) => {
      post({ kind: 'result', id, result: null });
      parentPort.close();
    });`);
    const { thread } = await SpoolThread.start(
      DATA,
      (cause) => deaths.push(cause),
      () => worker,
    );
    const exit = once(worker, 'exit');

    await thread.ask('close', null);
    await exit;

    expect(deaths).toEqual([]);
    await expect(thread.ask('counts', null)).rejects.toMatchObject({ reason: 'error' });
  });
});
