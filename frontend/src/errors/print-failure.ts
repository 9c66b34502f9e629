import { serverDigest } from '../reporting/error-digest.ts';
import { referenceOf } from './reference.ts';

/** What the sentence on the page promises to be in the browser console: one entry, the error in it unfolded. */
export function printFailure(error: unknown, eventId: string): void {
  const digest = serverDigest(error);
  const lines = [
    'Application error',
    ...(digest === null ? [] : [`Digest: ${digest}`]),
    `Reference: ${referenceOf(eventId)}`,
    `Event ID: ${eventId}`,
    '',
  ];
  // The page's sentence sends people here.
  // oxlint-disable-next-line no-console
  console.error(lines.join('\n'), error);
}
