import { serverFailure } from '../reporting/error-digest.ts';
import type { CaptureContext, Reporter } from '../reporting/reporter.ts';
import { thrownResponse } from '../reporting/thrown-response.ts';
import { isLostFile, STAYED_MS } from './lost-file.ts';
import { referenceOf } from './reference.ts';

/**
 * Reports an error, and prints one entry to the browser console, as the error page promises, with the error as an object and
 * with the reference where it will be found. A response of 4xx that the application or its router has thrown is shown
 * by a page only; where no page is left (`root`) it is an error.
 *
 * @returns the ID of the event that is sent, null if none is.
 */
export function reportFailure(reporter: Reporter, error: unknown, context: CaptureContext): string | null {
  if (context.source !== 'root' && thrownResponse(error)?.isRefusal === true) return null;
  const eventId = reporter.capture(error, context);
  const sentId = reporter.isSending ? eventId : null;
  if (!reporter.isFirstPrint(eventId)) return sentId;
  const failure = serverFailure(error);
  const lines = [
    'Application error',
    ...(failure === null ? [] : [`Digest: ${failure.digest}`]),
    ...(sentId === null ? [] : [`Reference: ${referenceOf(sentId)}`, `Event ID: ${sentId}`]),
    '',
  ];
  // The sentence of the error page refers to the browser console.
  // oxlint-disable-next-line no-console
  console.error(lines.join('\n'), error);
  return sentId;
}

/**
 * Reports an error that other code has caught. A lost file is reported if the page is still there after a while, since a boundary
 * above that code may reload the page.
 */
export function reportCaught(...failure: Parameters<typeof reportFailure>): void {
  const [, error] = failure;
  if (isLostFile(error)) setTimeout(reportFailure, STAYED_MS, ...failure);
  else reportFailure(...failure);
}
