import { CONSOLE_LIVE_PATH, type LiveEvent, type LiveGap } from '@errata/backend/contract/live-api.ts';
import { atServer } from './base-path.ts';

/**
 * connecting -> open <-> reconnecting        the browser reconnects by itself, with the ID of the last event
 * any state -> refused -> reconnecting        the server answered without a stream; retried after a delay
 */
export type StreamState = 'connecting' | 'open' | 'reconnecting' | 'refused';

export interface StreamListener {
  readonly onEvent: (event: LiveEvent) => void;
  /** `events` is null when the number is unknown: no cursor says where the refused stream ended. */
  readonly onGap: (events: number | null) => void;
  readonly onState: (state: StreamState) => void;
}

/** Schedules a call and returns a function that cancels it. */
export type Schedule = (call: () => void, ms: number) => () => void;

const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 30_000;

const schedule: Schedule = (call, ms) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};

/** Follows new events until it is stopped. */
export class LiveStream {
  readonly #listener: StreamListener;
  readonly #schedule: Schedule;
  #source: EventSource | null = null;
  #cancelRetry: () => void = () => undefined;
  #refusals = 0;
  /** Whether the stream was open before, so that a gap is possible. */
  #wasOpen = false;
  #cursor: string | null;

  /** @param after cursor of an earlier stream; the server then sends the events since. */
  constructor(listener: StreamListener, after: string | null = null, clock: Schedule = schedule) {
    this.#listener = listener;
    this.#cursor = after;
    this.#schedule = clock;
    this.#connect();
  }

  /** Cursor after the last event; null until the server has sent one. */
  get cursor(): string | null {
    return this.#cursor;
  }

  stop(): void {
    this.#source?.close();
    this.#cancelRetry();
  }

  #connect(): void {
    const after = this.#cursor;
    // A new EventSource sends no Last-Event-ID.
    const query = after === null ? '' : `?after=${encodeURIComponent(after)}`;
    const source = new EventSource(atServer(CONSOLE_LIVE_PATH + query));
    const mayMiss = this.#wasOpen && after === null;
    let isFirstOpening = true;
    source.addEventListener('open', () => {
      this.#refusals = 0;
      if (mayMiss && isFirstOpening) this.#listener.onGap(null);
      isFirstOpening = false;
      this.#wasOpen = true;
      this.#listener.onState('open');
    });
    source.addEventListener('event', (message: MessageEvent<string>) => {
      this.#note(message);
      // Edge: our own server sends the shape of the contract.
      this.#listener.onEvent(JSON.parse(message.data) as LiveEvent);
    });
    source.addEventListener('gap', (message: MessageEvent<string>) => {
      this.#note(message);
      this.#listener.onGap((JSON.parse(message.data) as LiveGap).events);
    });
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) this.#retry();
      else this.#listener.onState('reconnecting');
    });
    this.#source = source;
  }

  #note({ lastEventId }: MessageEvent): void {
    if (lastEventId !== '') this.#cursor = lastEventId;
  }

  /**
   * Reconnects after a refusal. A browser gives up after any answer without a stream, such as a proxy's 502 while the
   * server restarts.
   */
  #retry(): void {
    const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#refusals);
    this.#refusals += 1;
    this.#listener.onState('refused');
    this.#cancelRetry = this.#schedule(() => {
      this.#listener.onState('reconnecting');
      this.#connect();
    }, pauseMs);
  }
}
