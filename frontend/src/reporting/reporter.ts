import { newEventId } from './event-id.ts';
import { serverDigest } from './error-digest.ts';

/** Where an error was met; becomes the event's mechanism. */
export type CaptureSource = 'boundary' | 'root' | 'onerror' | 'onunhandledrejection' | 'query';

export interface CaptureContext {
  readonly source: CaptureSource;
  /** React's path of components to the one that threw. */
  readonly componentStack?: string | null | undefined;
}

/** One error on its way out. */
export interface Report {
  readonly eventId: string;
  readonly error: unknown;
  readonly context: CaptureContext;
  /** When it happened (ms since 1970), not when the SDK came. */
  readonly at: number;
  /** Digest of the server's failure behind it, or null. */
  readonly serverDigest: string | null;
  /** Where it happened, when that was an earlier page whose SDK never came. */
  readonly earlierPage?: { readonly release: string; readonly url: string };
}

/** Takes a report for good: the SDK, once it is there. */
export type Send = (report: Report) => void;

/** More than this before the SDK is loaded is a loop, not news. */
const MAX_WAITING = 32;

/**
 * Takes errors from the first line of the page on, long before the SDK is loaded, and gives each its event id at
 * once. States: *waiting* (reports are kept) -> *connected* (reports pass through). It must never throw.
 */
export class Reporter {
  readonly #waiting: Report[] = [];
  readonly #known = new WeakMap<object, string>();
  readonly #now: () => number;
  readonly #onWait: Send;
  #send: Send | null = null;

  /** `onWait` is told of each report that has to wait for the SDK. */
  constructor(now: () => number = Date.now, onWait: Send = () => undefined) {
    this.#now = now;
    this.#onWait = onWait;
  }

  /** The event id, the same one for the same error however often it is met on its way up. */
  capture(error: unknown, context: CaptureContext): string {
    const known = typeof error === 'object' && error !== null ? this.#known.get(error) : undefined;
    if (known !== undefined) return known;

    const eventId = newEventId();
    if (typeof error === 'object' && error !== null) this.#known.set(error, eventId);
    const report = { eventId, error, context, at: this.#now(), serverDigest: serverDigest(error) };
    if (this.#send === null) this.#wait(report);
    else this.#send(report);
    return eventId;
  }

  /** From now on reports go out; what waited goes first. */
  connect(send: Send): void {
    this.#send = send;
    for (const report of this.#waiting.splice(0)) send(report);
  }

  #wait(report: Report): void {
    if (this.#waiting.length >= MAX_WAITING) return;
    this.#waiting.push(report);
    this.#onWait(report);
  }
}
