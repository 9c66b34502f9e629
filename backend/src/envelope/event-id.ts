import { randomUUID } from 'node:crypto';

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
