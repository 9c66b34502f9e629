import type { Writable } from 'node:stream';
import type { DestinationStream } from 'pino';
import { isoTime } from '../time/iso.ts';
import { type StartTimer, startTimer } from '../time/time-source.ts';

/** Lines for a reader that stops for a while: some 4,000 failures with their stacks. */
export const MAX_BUFFERED_BYTES = 8 * 2 ** 20;
/** Once lines were dropped, as much must be written before the next one is taken: one gap instead of many. */
const RESUME_BYTES = MAX_BUFFERED_BYTES / 2;
/** Time at the exit for a reader to take the last lines. */
export const FLUSH_MS = 100;

/**
 * Writes log lines to a stream that may be read late, never, or be closed. It must never hold or end the process.
 *
 * The stream is `process.stdout`, not pino's own destination. For a pipe Node writes what the pipe takes at once, so that
 * the last lines survive a kill, and the rest when there is room, without a thread. Pino's destination writes in the
 * thread pool: a write to a full pipe blocks a thread there, and the exit waits for it without an end.
 */
export class LogOutput implements DestinationStream {
  readonly #stream: Writable;
  readonly #onDrop: () => void;
  readonly #startTimer: StartTimer;
  /** Lines since the last one that was taken. */
  #dropped = 0;
  #isClosed = false;

  /** @param onDrop called for each dropped line. */
  constructor(stream: Writable, onDrop: () => void, timer: StartTimer = startTimer) {
    this.#stream = stream;
    this.#onDrop = onDrop;
    this.#startTimer = timer;
    // A closed pipe (EPIPE) or a full disk: without a listener the error would end the process.
    stream.on('error', () => (this.#isClosed = true));
    stream.on('drain', () => this.#resume());
  }

  write(line: string): void {
    if (this.#stream.writableLength <= RESUME_BYTES) this.#resume();
    const bytes = Buffer.from(line);
    const hasRoom = this.#stream.writableLength + bytes.length <= MAX_BUFFERED_BYTES;
    if (!this.#isClosed && this.#dropped === 0 && hasRoom) {
      this.#stream.write(bytes);
      return;
    }
    this.#dropped += 1;
    this.#onDrop();
  }

  /** Calls back when all lines are written, or after {@link FLUSH_MS}. Pino's `flush` calls it. */
  flush(callback: () => void): void {
    if (this.#isClosed || this.#stream.writableLength === 0) {
      callback();
      return;
    }
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      cancel();
      callback();
    };
    const cancel = this.#startTimer(FLUSH_MS, end);
    this.#stream.write(Buffer.alloc(0), end);
  }

  /** Takes lines again, and writes in the place of the dropped ones how many they were. */
  #resume(): void {
    if (this.#isClosed || this.#dropped === 0) return;
    const record = {
      level: 'warn',
      time: isoTime(Date.now()),
      lines: this.#dropped,
      msg: 'log_lines_dropped',
    };
    this.#dropped = 0;
    this.#stream.write(Buffer.from(`${JSON.stringify(record)}\n`));
  }
}
