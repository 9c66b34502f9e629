import { randomUUID } from 'node:crypto';

/** Sorts behind each hex digit and each symbol of a digest, and so ends the range of ids with a prefix. */
export const AFTER_PREFIX = '~';

/** Sent by SDKs that have made no id; Relay gives such an event a new one, because all of them would be repeats of one. */
export const NIL_EVENT_ID = '0'.repeat(32);

const EVENT_ID = /^[\da-f]{32}$/;

/** Makes a random event id: 32 hex digits. */
export function newEventId(): string {
  return randomUUID().replaceAll('-', '');
}

/** Reads an event id, with or without a UUID's hyphens; null for anything else and for zeros. */
export function eventIdOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const id = value.toLowerCase().replaceAll('-', '');
  return EVENT_ID.test(id) && id !== NIL_EVENT_ID ? id : null;
}
