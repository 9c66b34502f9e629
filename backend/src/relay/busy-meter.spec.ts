import { BusyMeter } from './busy-meter.ts';

describe('BusyMeter', () => {
  it('reads the shares every 100 ms and passes on the larger one', () => {
    const looks: number[] = [];
    const shares = [
      { loop: 0.1, cores: 0.3 },
      { loop: 0.8, cores: 0.2 },
    ];
    const meter = new BusyMeter(
      (busy) => looks.push(busy),
      () => shares.shift() ?? { loop: 0, cores: 0 },
    );

    const isBusy = [0, 99, 100].map((nowMs) => {
      meter.look(nowMs);
      return meter.isLoopBusy;
    });

    expect(looks).toEqual([0.3, 0.8]);
    expect(isBusy).toEqual([false, false, true]);
  });
});
