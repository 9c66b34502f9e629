import { randomUUID } from 'node:crypto';

/** Sorts behind each hex digit and each symbol of a digest, and so ends the range of ids with a prefix. */
export const AFTER_PREFIX = '~';

const EVENT_ID = /^[\da-f]{32}$/;

/** Makes a random event id: 32 hex digits. */
export function newEventId(): string {
  return randomUUID().replaceAll('-', '');
}

/** Reads an event id, with or without a UUID's hyphens; null for anything else. */
export function eventIdOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const id = value.toLowerCase().replaceAll('-', '');
  return EVENT_ID.test(id) ? id : null;
}
