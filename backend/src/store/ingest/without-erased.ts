import { type ErasureRule, isErased } from '../erasure-rules/erasure-rule.ts';
import { namesIn } from '../event/names-in.ts';
import type { ReadEnvelope } from './read-envelope.ts';

/** What is left of what was read once nothing is in it that came in before somebody had it forgotten. */
export function withoutErased(
  reads: readonly ReadEnvelope[],
  rules: readonly ErasureRule[],
): Pick<ReadEnvelope, 'events' | 'feedback'> {
  const events = reads.flatMap((read) => read.events);
  const feedback = reads.flatMap((read) => read.feedback);
  if (rules.length === 0) return { events, feedback };
  return {
    events: events.filter(
      ({ receivedMs, eventId, body }) =>
        !isErased(rules, { receivedMs, eventIds: [eventId], names: () => namesIn(body) }),
    ),
    feedback: feedback.filter(({ receivedMs, feedbackId, eventId, name, contact }) => {
      const eventIds = [feedbackId, eventId ?? ''];
      return !isErased(rules, { receivedMs, eventIds, names: () => [name ?? '', contact ?? ''] });
    }),
  };
}

/** When the oldest of it came in. */
export function oldestReceivedMs(reads: readonly ReadEnvelope[]): number {
  const times = reads.flatMap(({ events, feedback }) =>
    [...events, ...feedback].map((one) => one.receivedMs),
  );
  return times.reduce((oldest, time) => Math.min(oldest, time), Infinity);
}
