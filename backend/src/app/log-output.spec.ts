import { Writable } from 'node:stream';
import { ManualTime } from '../time/manual-time.fixture.ts';
import { FLUSH_MS, LogOutput, MAX_BUFFERED_BYTES } from './log-output.ts';
import { createLog } from '../telemetry/log.ts';

/** A pipe whose reader takes one write each time that it reads. */
class Pipe extends Writable {
  readonly taken: string[] = [];
  #next: ((error?: Error) => void) | undefined;
  #isRead = false;

  override _write(chunk: Buffer, _: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#next = (error) => {
      if (error === undefined) this.taken.push(chunk.toString());
      callback(error);
    };
    if (this.#isRead) this.#next();
  }

  /** Takes one write. */
  read(): void {
    this.#next?.();
  }

  /** Takes all writes from now on. */
  readAll(): void {
    this.#isRead = true;
    this.read();
  }

  fail(code: string): void {
    this.#next?.(Object.assign(new Error(code), { code }));
  }
}

const LINE = `${'x'.repeat(64 * 1024 - 1)}\n`;
const FULL = MAX_BUFFERED_BYTES / LINE.length;

describe('LogOutput', () => {
  let pipe: Pipe;
  let dropped: number;
  let time: ManualTime;
  let output: LogOutput;

  beforeEach(() => {
    pipe = new Pipe();
    dropped = 0;
    time = new ManualTime();
    output = new LogOutput(pipe, () => (dropped += 1), time.startTimer);
  });

  function write(lines: number): void {
    for (let left = lines; left > 0; left -= 1) output.write(LINE);
  }

  it('buffers 8 MiB for a pipe that is never read, then drops and counts lines', () => {
    write(FULL + 3);

    expect(pipe.writableLength).toBe(8 * 1024 * 1024);
    expect(dropped).toBe(3);
  });

  it('writes in one line how many were dropped when all lines are read', async () => {
    write(FULL + 3);

    pipe.readAll();
    await new Promise((resolve) => pipe.write('', resolve));

    expect(pipe.taken).toHaveLength(FULL + 2);
    const { time: _, ...record } = JSON.parse(pipe.taken[FULL] ?? '') as Record<string, unknown>;
    expect(record).toEqual({ level: 'warn', lines: 3, msg: 'log_lines_dropped' });
  });

  it('takes lines again when half of the buffer was read', () => {
    write(FULL + 3);

    for (let reads = 1; reads < FULL / 2; reads += 1) pipe.read();
    write(1);
    pipe.read();
    write(1);

    expect(dropped).toBe(4);
    expect(pipe.writableLength).toBeGreaterThan(MAX_BUFFERED_BYTES / 2 + LINE.length);
  });

  it('goes on after an error of a closed pipe, and counts the lines', async () => {
    write(1);

    pipe.fail('EPIPE');
    await new Promise((resolve) => pipe.once('close', resolve));
    write(2);

    expect(dropped).toBe(2);
  });

  it('has flushed when the last line is written', async () => {
    const log = createLog('info', output);
    log.info('the last line');

    const flushed = new Promise((resolve) => log.flush(resolve));
    pipe.readAll();
    await flushed;

    expect(pipe.taken[0]).toContain('the last line');
    expect(time.nowMs()).toBe(0);
  });

  it('gives up to flush after 100 ms while the pipe is not read', async () => {
    write(1);

    const flushed = new Promise<void>((resolve) => output.flush(resolve));
    const gaveUpAtMs = await time.toNextTimer();
    await flushed;

    expect([gaveUpAtMs, FLUSH_MS]).toEqual([100, 100]);
  });
});
