/**
 * Reporting from the first line of the page: errors are taken at once, the SDK comes a second after the first paint
 * (or with the first error) and gets what waited, here and on earlier pages. It must never delay or break the page it
 * watches.
 */
import type { BrowserSettings } from '@errata/backend/contract/browser-settings.ts';
import { PendingReports } from './pending-reports.ts';
import { Reporter } from './reporter.ts';

/** A script error without its error object (old code, workers): the place is all there is. */
function errorOf(event: ErrorEvent): unknown {
  if (event.error !== null && event.error !== undefined) return event.error;
  const error = new Error(event.message);
  error.stack = `Error: ${event.message}\n    at ${event.filename}:${event.lineno}:${event.colno}`;
  return error;
}

/**
 * Errors in handlers and unhandled rejections. The SDK's own listeners stay off, so that one path with one event id
 * holds from the first line of the page to its last.
 */
export function watchWindow(page: Window, reporter: Reporter): () => void {
  const onError = (event: ErrorEvent) => {
    reporter.capture(errorOf(event), { source: 'onerror' });
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

/** From the first frame on: the page's own files and answers come first on a slow network. */
const AFTER_PAINT_MS = 1_000;
/** A hidden tab paints no frame; its errors count too. */
const MAX_PAINT_WAIT_MS = 3_000;
/** A lost chunk or a blocker may be gone at the next try. */
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
): Promise<void> {
  try {
    const { startLateClient, sentOrQueued } = await import('./late-client.ts');
    const send = startLateClient(settings);
    for (const report of pending.takeEarlier()) send(report);
    reporter.connect(send);
    void sentOrQueued().then((isSafe) => isSafe && pending.clear());
  } catch {
    page.setTimeout(() => void connect(page, settings, reporter, pending), RETRY_MS);
  }
}

/** Without settings (null) errors are still numbered and shown, but nothing leaves the page. */
export function startReporting(page: Window, settings: BrowserSettings | null): Reporter {
  if (settings === null || settings.dsn === '') {
    const silent = new Reporter();
    watchWindow(page, silent);
    return silent;
  }
  const pending = new PendingReports(page, settings.release);
  let isStarted = false;
  const start = () => {
    if (!isStarted) void connect(page, settings, reporter, pending);
    isStarted = true;
  };
  const reporter = new Reporter(Date.now, (report) => {
    pending.add(report);
    // Whoever meets an error may leave the page for it: no time for the paint.
    start();
  });
  watchWindow(page, reporter);
  afterFirstPaint(page, start);
  return reporter;
}
