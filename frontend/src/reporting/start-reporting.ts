/**
 * Starts reporting: captures errors from the first line of the page, loads the SDK a second after the first paint or
 * with the first error, and passes it the waiting reports of this page and of earlier ones. It must never delay or
 * break the page.
 */
import type { BrowserSettings } from '@errata/backend/contract/browser-settings.ts';
import { saveLastError } from './last-error.ts';
import { PendingReports } from './pending-reports.ts';
import { Reporter, type Report } from './reporter.ts';
import { hasDsn } from './settings.ts';

/** Returns the error of an event. A script error without its error object (old code, workers) has only its position. */
function errorOf(event: ErrorEvent): unknown {
  if (event.error !== null && event.error !== undefined) return event.error;
  const error = new Error(event.message);
  error.stack = `Error: ${event.message}\n    at ${event.filename}:${event.lineno}:${event.colno}`;
  return error;
}

/**
 * Returns whether an error event says neither what failed nor where: "Script error." of a script of another origin (HTML,
 * "muted errors"), and the browser's word that an observer of sizes continues in the next frame, at no line or the parser's.
 */
function isNoise({ error, lineno, message }: ErrorEvent): boolean {
  return (error ?? null) === null && (lineno === 0 || message.startsWith('ResizeObserver loop'));
}

/**
 * Captures errors in event handlers and unhandled rejections. The SDK's own listeners stay off, so that each error has
 * one path and one event ID.
 */
export function watchWindow(page: Window, reporter: Reporter): () => void {
  const onError = (event: ErrorEvent) => {
    if (!isNoise(event)) reporter.capture(errorOf(event), { source: 'onerror' });
  };
  const onRejection = (event: PromiseRejectionEvent) => {
    reporter.capture(event.reason, { source: 'onunhandledrejection' });
  };
  page.addEventListener('error', onError);
  page.addEventListener('unhandledrejection', onRejection);
  return () => {
    page.removeEventListener('error', onError);
    page.removeEventListener('unhandledrejection', onRejection);
  };
}

/** After the first frame: on a slow network the page's own files and requests come first. */
const AFTER_PAINT_MS = 1_000;
/** A hidden tab paints no frame, but its errors count too. */
const MAX_PAINT_WAIT_MS = 3_000;
/** A lost chunk or a blocker may be gone at the next attempt. */
const RETRY_MS = 30_000;

function afterFirstPaint(page: Window, start: () => void): void {
  page.requestAnimationFrame(() => page.setTimeout(start, AFTER_PAINT_MS));
  page.setTimeout(start, MAX_PAINT_WAIT_MS);
}

async function connect(
  page: Window,
  settings: BrowserSettings,
  reporter: Reporter,
  pending: PendingReports,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { startLateClient } = await import('./late-client.ts');
    if (signal.aborted) return;
    const { send, sentOrQueued, close } = startLateClient(settings);
    signal.addEventListener('abort', close);
    for (const report of pending.takeEarlier()) send(report);
    reporter.connect(send);
    void sentOrQueued().then((isSafe) => isSafe && pending.clear());
  } catch {
    page.setTimeout(() => void connect(page, settings, reporter, pending, signal), RETRY_MS);
  }
}

/**
 * Starts reporting and returns a function that stops it. Without settings (null) or a DSN errors still get an error page, but
 * nothing is sent. A reporter can serve one start after another: the reports that wait go to the next one.
 */
export function startReporting(
  page: Window,
  settings: BrowserSettings | null,
  reporter: Reporter,
): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const unwatch = watchWindow(page, reporter);
  const stop = () => {
    unwatch();
    stopping.abort();
    reporter.restart();
  };
  if (!hasDsn(settings)) return stop;
  const pending = new PendingReports(page, settings.release);
  let isStarted = false;
  const start = () => {
    if (!isStarted && !signal.aborted) void connect(page, settings, reporter, pending, signal);
    isStarted = true;
  };
  const onWait = (report: Report) => {
    pending.add(report);
    // The user may leave the page because of the error: no time to wait for the paint.
    start();
  };
  reporter.restart(onWait, ({ serverDigest, eventId }) => saveLastError(page, serverDigest ?? eventId));
  afterFirstPaint(page, start);
  return stop;
}
