import { newEventId } from './event-id.ts';
import { serverFailure } from './error-digest.ts';

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
  readonly #now: () => number;
  #onWait: Send = () => undefined;
  #onCapture: Send = () => undefined;
  #send: Send | null = null;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * Begins to wait for the SDK, also where an earlier one was connected. `onWait` is called with each report that waits, those
   * that wait already included, `onCapture` with every new report.
   */
  restart(onWait: Send = () => undefined, onCapture: Send = () => undefined): void {
    this.#send = null;
    this.#onWait = onWait;
    this.#onCapture = onCapture;
    for (const report of this.#waiting) onWait(report);
  }

  /** Returns the event ID; the same error always has the same ID, however often it is captured. */
  capture(error: unknown, context: CaptureContext): string {
    const known = typeof error === 'object' && error !== null ? this.#known.get(error) : undefined;
    if (known !== undefined) return known;

    const eventId = newEventId();
    if (typeof error === 'object' && error !== null) this.#known.set(error, eventId);
    const { digest: serverDigest, reference: serverReference } = serverFailure(error) ?? NO_FAILURE;
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

  #wait(report: Report): void {
    if (this.#waiting.length >= MAX_WAITING) return;
    this.#waiting.push(report);
    this.#onWait(report);
  }
}
