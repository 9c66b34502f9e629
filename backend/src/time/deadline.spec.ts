import { Deadline } from './deadline.ts';
import { ManualTime } from './manual-time.fixture.ts';

describe('Deadline', () => {
  it('leaves to each step what those before it have left, and never less than nothing', async () => {
    const time = new ManualTime();
    const deadline = new Deadline(3_000, time);
    const left: number[] = [];

    for (const stepMs of [1_000, 1_500, 2_000]) {
      time.startTimer(stepMs, () => left.push(deadline.leftMs));
      await time.toNextTimer();
    }

    expect(left).toEqual([2_000, 500, 0]);
    expect(deadline.plus(2_000).leftMs).toBe(500);
  });

  it('waits for work until then, and not for longer', async () => {
    const time = new ManualTime();
    const deadline = new Deadline(3_000, time);

    const waits = [deadline.wait(Promise.resolve()), deadline.wait(new Promise(() => {}))];
    const failed = deadline.wait(Promise.reject(new Error('planted')));

    await expect(failed).rejects.toThrow('planted');
    expect(await time.toNextTimer()).toBe(3_000);
    expect(await Promise.all(waits)).toEqual([true, false]);
  });
});
