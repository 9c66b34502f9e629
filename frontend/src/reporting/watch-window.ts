import type { Reporter } from './reporter.ts';

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
