import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { flushAtSignals } from './flush-at-signals.ts';

/** A process whose signals reach its listeners; without one they end it. */
class FakeProcess extends EventEmitter {
  readonly pid = 1;
  readonly endedBy: string[] = [];

  kill(_pid: number, signal: string): void {
    if (!this.emit(signal, signal)) this.endedBy.push(signal);
  }
}

describe('flushAtSignals', () => {
  let target: FakeProcess;
  let flushes: number;
  let endFlush: () => void;
  let leave: () => void;

  /** Lets everything run that waits for the flush. */
  const flushed = async (): Promise<void> => {
    endFlush();
    await setImmediate();
  };

  beforeEach(() => {
    target = new FakeProcess();
    flushes = 0;
    const flush = new Promise<void>((resolve) => (endFlush = resolve));
    leave = flushAtSignals(
      () => {
        flushes += 1;
        return flush;
      },
      target as unknown as NodeJS.Process,
    );
  });

  it.each(['SIGTERM', 'SIGINT'])(
    'ends a process without another listener after the flush, by %s',
    async (signal) => {
      target.kill(1, signal);
      expect([flushes, target.endedBy]).toEqual([1, []]);

      await flushed();

      expect(target.endedBy).toEqual([signal]);
    },
  );

  it.each(['on', 'once'] as const)('leaves the end to a listener of the application: %s', async (way) => {
    target[way]('SIGTERM', () => {});

    target.kill(1, 'SIGTERM');
    await flushed();

    expect([flushes, target.endedBy]).toEqual([1, []]);
  });

  it('leaves the end to a listener that listens once and came first', async () => {
    leave();
    target.once('SIGTERM', () => {});
    leave = flushAtSignals(async () => {}, target as unknown as NodeJS.Process);

    target.kill(1, 'SIGTERM');
    await flushed();

    expect(target.endedBy).toEqual([]);
  });

  it('ends the process when the application sends the signal again after its own end', async () => {
    target.once('SIGTERM', () => target.kill(1, 'SIGTERM'));

    target.kill(1, 'SIGTERM');
    await flushed();

    expect(target.endedBy).toEqual(['SIGTERM']);
  });

  it('leaves nothing behind', () => {
    leave();

    target.kill(1, 'SIGTERM');

    expect([flushes, target.endedBy]).toEqual([0, ['SIGTERM']]);
  });
});
