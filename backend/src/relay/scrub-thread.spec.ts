import type { Worker } from 'node:worker_threads';
import { ScrubThread, startScrubWorker } from './scrub-thread.ts';

const ITEMS = Buffer.from('{"type":"event"}\n{"message":"4111 1111 1111 1111"}\n');

describe('ScrubThread', () => {
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
