import { serverFailure } from '../reporting/error-digest.ts';
import { referenceOf } from './reference.ts';

/** Prints one entry to the browser console, as the error page promises, with the error as an object. */
export function printFailure(error: unknown, eventId: string): void {
  const failure = serverFailure(error);
  const lines = [
    'Application error',
    ...(failure === null ? [] : [`Digest: ${failure.digest}`]),
    `Reference: ${referenceOf(eventId)}`,
    `Event ID: ${eventId}`,
    '',
  ];
  // The sentence of the error page refers to the browser console.
  // oxlint-disable-next-line no-console
  console.error(lines.join('\n'), error);
}
