import { Worker } from 'node:worker_threads';
import type { TestCalls } from './calls.worker.fixture.ts';
import { WorkerClient, WorkerEnded, WorkerFailure } from './worker-rpc.ts';

describe('requests to a worker', () => {
  let worker: Worker;
  let client: WorkerClient<TestCalls>;
  let notices: unknown[];
  let ended: PromiseWithResolvers<WorkerEnded>;

  beforeEach(() => {
    notices = [];
    ended = Promise.withResolvers();
    worker = new Worker(new URL('./calls.worker.fixture.ts', import.meta.url));
    client = new WorkerClient(worker, {
      onNotice: (notice) => notices.push(notice),
      onEnd: ended.resolve,
    });
  });
  afterEach(() => worker.terminate());

  it('gives each request its own reply, in any order of the replies', async () => {
    const replies: unknown[] = [];
    const first = client.request('held', ['first']).then((reply) => replies.push(reply));

    replies.push(await client.request('echo', ['second']));
    await client.request('release', []);
    await first;

    expect(replies).toEqual(['second', 'first']);
  });

  it('ignores messages that are not its own, before, between and after replies', async () => {
    const replies = [
      await client.request('echo', ['first']),
      await client.request('echo', [{ kind: 'result', id: 7 }]),
    ];

    expect(replies).toEqual(['first', { kind: 'result', id: 7 }]);
    expect(notices).toEqual(['ready']);
  });

  it('ignores foreign messages in the worker', async () => {
    const foreign = [null, 'request', { kind: 'request' }, { 'watch:import': [] }];

    for (const message of foreign) worker.postMessage(message, []);

    expect(await client.request('echo', [1])).toBe(1);
  });

  it('rejects with the code of the failure, and goes on', async () => {
    const failed = client.request('fail', ['full']);

    await expect(failed).rejects.toEqual(expect.objectContaining({ code: 'code full', message: 'full' }));
    await expect(failed).rejects.toBeInstanceOf(WorkerFailure);
    expect(await client.request('echo', [2])).toBe(2);
  });

  it('moves buffers in both directions instead of copying them', async () => {
    const buffer = new Uint8Array([1, 2, 3]);

    const back = await client.request('give', [buffer], [buffer.buffer]);

    expect(buffer).toHaveLength(0);
    expect([...back]).toEqual([1, 2, 3]);
  });

  it('rejects a request that cannot be posted, and no other one', async () => {
    const unclonable = client.request('echo', [() => undefined]);

    await expect(unclonable).rejects.toThrow('could not be cloned');
    expect(await client.request('echo', [3])).toBe(3);
  });

  it('rejects all pending requests when the worker dies, and every later one', async () => {
    const pending = client.request('held', ['never']);
    const died = client.request('die', []);

    await expect(pending).rejects.toBeInstanceOf(WorkerEnded);
    await expect(died).rejects.toThrow('fatal');
    expect((await ended.promise).message).toBe('fatal');
    await expect(client.request('echo', [4])).rejects.toBeInstanceOf(WorkerEnded);
  });

  it('keeps the text of a thrown value that is no Error', async () => {
    const thrower = new Worker("throw 'no room'", { eval: true });
    const caller = new WorkerClient<TestCalls>(thrower, { onEnd: ended.resolve });

    await expect(caller.request('echo', [4])).rejects.toThrow('no room');
    expect((await ended.promise).message).toBe('no room');
  });

  it('ends the worker after the reply to close', async () => {
    await client.close();

    expect(await ended.promise).toBeInstanceOf(WorkerEnded);
  });
});
