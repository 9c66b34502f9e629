import { EventEmitter, once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { WorkerHandle } from '../thread/worker-rpc.ts';
import { ScrubThread, startScrubWorker } from './scrub-thread.ts';

const ITEMS = Buffer.from('{"type":"event"}\n{"message":"4111 1111 1111 1111"}\n');

/** Keeps the sizes of the envelopes under way, and replies when a test says so. */
class SlowWorker extends EventEmitter implements WorkerHandle {
  readonly underWay: number[] = [];
  readonly #ids: number[] = [];

  postMessage({ id, args: [items] }: { readonly id: number; readonly args: readonly [Uint8Array] }): void {
    this.underWay.push(items.length);
    this.#ids.push(id);
    this.emit('posted');
  }

  reply(): void {
    this.underWay.shift();
    this.emit('message', { kind: 'result', id: this.#ids.shift(), result: Buffer.of() });
  }

  terminate(): Promise<void> {
    return Promise.resolve();
  }
}

describe('ScrubThread', () => {
  it('S3: has one large envelope at a time in its thread, and any number of small ones', async () => {
    const worker = new SlowWorker();
    const thread = new ScrubThread(() => worker);
    const [small, large] = [Buffer.alloc(2 ** 16), Buffer.alloc(2 ** 16 + 1)];

    const scrubbed = [small, large, large, small].map((items) => thread.scrub(items));
    const first = [...worker.underWay];
    worker.reply();
    const second = once(worker, 'posted');
    worker.reply();
    await second;

    expect(first).toEqual([small.length, large.length, small.length]);
    expect(worker.underWay).toEqual([small.length, large.length]);
    worker.reply();
    worker.reply();
    await Promise.all(scrubbed);
  });

  it('replies `unavailable` when its thread dies, and starts it again for the next envelope', async () => {
    const workers: Worker[] = [];
    const thread = new ScrubThread(() => {
      workers.push(startScrubWorker());
      return workers.at(-1) as Worker;
    });

    const first = thread.scrub(ITEMS);
    void workers[0]?.terminate();
    const outcomes = [(await first).outcome, (await thread.scrub(ITEMS)).outcome];
    await thread.close();

    expect(outcomes).toEqual(['unavailable', 'scrubbed']);
    expect(workers).toHaveLength(2);
  });

  it('scrubs nothing once it is closed, and may be closed twice', async () => {
    const thread = new ScrubThread();
    const pending = thread.scrub(ITEMS);

    await thread.close();
    await thread.close();

    expect((await pending).outcome).toBe('unavailable');
    expect((await thread.scrub(ITEMS)).outcome).toBe('unavailable');
  });
});
