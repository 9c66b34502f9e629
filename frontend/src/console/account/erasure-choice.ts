import type { Erased, Erasure } from '@errata/backend/contract/erasure-api.ts';
import { counted } from '../../ui/format/count.ts';

/** Criterion of an erasure. */
export type ErasureTarget = (typeof ERASURE_TARGETS)[number];
export const ERASURE_TARGETS = ['user', 'event', 'age'] as const;

const EVENT_ID = /^[0-9a-f]{32}$/;

/**
 * Converts the typed text to a request, or returns null while it is incomplete. A day begins in the user's time zone.
 */
export function erasureOf(kind: ErasureTarget, typed: string): Erasure | null {
  const text = typed.trim();
  if (text === '') return null;
  if (kind === 'user') return { user: text };
  if (kind === 'event') {
    const eventId = text.replaceAll('-', '').toLowerCase();
    return EVENT_ID.test(eventId) ? { eventId } : null;
  }
  const day = new Date(`${text}T00:00`);
  return Number.isNaN(day.getTime()) ? null : { before: day.toISOString() };
}

/** Describes the erasure for the confirmation. */
export function erasureLabel(erasure: Erasure): string {
  if ('user' in erasure) return `all data about ${erasure.user}`;
  if ('eventId' in erasure) return `event ${erasure.eventId}`;
  return `all data received before ${new Date(erasure.before).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'long' })}`;
}

export function erasedText(erased: Erased): string {
  const { events, feedback, spooled } = erased;
  if (events + feedback + spooled === 0) return 'Nothing to erase.';
  return `Erased: ${itemsText(erased)}. Issue counts stay.`;
}

/** Counts items in words: "2 events, 1 feedback message and 0 queued envelopes". */
export function itemsText({ events, feedback, spooled }: Erased): string {
  const parts = [
    counted(events, 'event', 'events'),
    counted(feedback, 'feedback message', 'feedback messages'),
  ];
  return `${parts.join(', ')} and ${counted(spooled, 'queued envelope', 'queued envelopes')}`;
}
