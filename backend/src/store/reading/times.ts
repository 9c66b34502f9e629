import { lenientText } from './lenient-text.ts';

/** Reads a time in Sentry's forms, seconds or ISO 8601, as ms; NaN for anything else. */
export function millisecondsOf(timestamp: unknown): number {
  return typeof timestamp === 'number' ? timestamp * 1000 : Date.parse(lenientText(timestamp) ?? '');
}
