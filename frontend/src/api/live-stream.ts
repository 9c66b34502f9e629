import { CONSOLE_LIVE_PATH, type LiveEvent, type LiveGap } from '@errata/backend/contract/live-api.ts';

/**
 * connecting -> open <-> reconnecting        the browser connects again by itself, with the id of the last event
 * any of them -> refused -> reconnecting     the server answered no stream; asked again after a pause
 */
export type StreamState = 'connecting' | 'open' | 'reconnecting' | 'refused';

export interface StreamListener {
  readonly onEvent: (event: LiveEvent) => void;
  /** `events` is null when nobody counted them: nothing had come that says where the refused stream ended. */
  readonly onGap: (events: number | null) => void;
  readonly onState: (state: StreamState) => void;
}

/** Calls after a time; what it gives back takes the call back. */
export type Schedule = (call: () => void, ms: number) => () => void;

const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 30_000;

const schedule: Schedule = (call, ms) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};

/** Follows what comes in until it is told to stop. */
export class LiveStream {
  readonly #listener: StreamListener;
  readonly #schedule: Schedule;
  #source: EventSource | null = null;
  #cancelRetry: () => void = () => undefined;
  #refusals = 0;
  /** Whether something was open before, so that a gap can lie between. */
  #wasOpen = false;
  #cursor: string | null;

  /** @param after cursor of a stream before, to be told what came since. */
  constructor(listener: StreamListener, after: string | null = null, clock: Schedule = schedule) {
    this.#listener = listener;
    this.#cursor = after;
    this.#schedule = clock;
    this.#connect();
  }

  /** Behind what was told last; null until the server has named one. */
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
    const source = new EventSource(
      after === null ? CONSOLE_LIVE_PATH : `${CONSOLE_LIVE_PATH}?after=${encodeURIComponent(after)}`,
    );
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
      // An edge: the server is ours, its words are the contract's.
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

  /** A browser gives up after any answer that is no stream: a proxy's 502 while the server restarts is one too. */
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
