import { newEventId } from './event-id.ts';
import { serverFailure } from './error-digest.ts';
import { thrownResponse } from './thrown-response.ts';

/**
 * Where an error was caught; becomes the event's mechanism. `boundary` and `root` have shown the error page, `caught` is a
 * boundary or router of the application, `recoverable` an error that React has rendered around.
 */
export type CaptureSource = (typeof CAPTURE_SOURCES)[number];
export const CAPTURE_SOURCES = [
  'boundary',
  'root',
  'onerror',
  'onunhandledrejection',
  'query',
  'caught',
  'recoverable',
] as const;

export interface CaptureContext {
  readonly source: CaptureSource;
  /** React's component stack of the error. */
  readonly componentStack?: string | null | undefined;
}

/** One error to report. */
export interface Report {
  readonly eventId: string;
  readonly error: unknown;
  readonly context: CaptureContext;
  /** Time of the error (ms since 1970), not of loading the SDK. */
  readonly at: number;
  /** Digest and reference of the server's error that caused it, or null. */
  readonly serverDigest: string | null;
  readonly serverReference: string | null;
  /** Release and URL of the earlier page whose SDK was never loaded. */
  readonly earlierPage?: { readonly release: string; readonly url: string };
}

/** Sends a report: the SDK, when it is loaded. */
export type Send = (report: Report) => void;

const NO_FAILURE = { digest: null, reference: null };
/** More errors before the SDK is loaded are a loop. */
const MAX_WAITING = 32;

/**
 * Captures errors from the start of the page, before the SDK is loaded, and gives each an event ID at once. States:
 * *waiting* (reports are kept) -> *connected* (reports are sent). It must never throw.
 */
export class Reporter {
  readonly #waiting: Report[] = [];
  readonly #known = new WeakMap<object, string>();
  /** Value and event ID of the last error. The SDK drops an event that equals the one before. */
  #last: { readonly error: unknown; readonly eventId: string } | null = null;
  /** Event IDs that were printed. */
  readonly #printed = new Set<string>();
  readonly #now: () => number;
  #onWait: Send | null = null;
  #onCapture: Send = () => undefined;
  #send: Send | null = null;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * Begins to wait for the SDK, also where an earlier one was connected. `onWait` is called with each report that waits, those
   * that wait already included, `onCapture` with every new report.
   */
  restart(onWait: Send | null = null, onCapture: Send = () => undefined): void {
    this.#send = null;
    this.#onWait = onWait;
    this.#onCapture = onCapture;
    if (onWait !== null) for (const report of this.#waiting) onWait(report);
  }

  /** Whether reports are sent, now or when the SDK is loaded. If not, their event IDs are found nowhere. */
  get isSending(): boolean {
    return this.#send !== null || this.#onWait !== null;
  }

  /** Returns the event ID; the same error always has the same ID, however often it is captured. */
  capture(thrown: unknown, context: CaptureContext): string {
    const isObject = typeof thrown === 'object' && thrown !== null;
    const last = this.#last?.error === thrown ? this.#last?.eventId : undefined;
    const known = isObject ? this.#known.get(thrown) : last;
    if (known !== undefined) return known;

    const eventId = newEventId();
    if (isObject) this.#known.set(thrown, eventId);
    this.#last = { error: thrown, eventId };
    const error = thrownResponse(thrown)?.error ?? thrown;
    const { digest: serverDigest, reference: serverReference } = serverFailure(thrown) ?? NO_FAILURE;
    const report = { eventId, error, context, at: this.#now(), serverDigest, serverReference };
    this.#onCapture(report);
    if (this.#send === null) this.#wait(report);
    else this.#send(report);
    return eventId;
  }

  /** Sends reports from now on, the waiting ones first. */
  connect(send: Send): void {
    this.#send = send;
    for (const report of this.#waiting.splice(0)) send(report);
  }

  /** Returns whether an event ID is passed for the first time: several handlers see one error, and each would print it. */
  isFirstPrint(eventId: string): boolean {
    return this.#printed.size < this.#printed.add(eventId).size;
  }

  #wait(report: Report): void {
    if (this.#waiting.length >= MAX_WAITING) return;
    this.#waiting.push(report);
    this.#onWait?.(report);
  }
}
