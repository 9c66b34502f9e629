import { eventIdOf } from '../../envelope/event-id.ts';
import { type Fields, fieldsAt } from '../../digest/fields.ts';
import type { EnvelopeSource } from '../../sink/queued-envelope.ts';
import { columnText } from './column-text.ts';

/** Feedback of a user about a failure, before it is written. */
export interface NewFeedback {
  readonly project: string;
  readonly source: EnvelopeSource;
  readonly feedbackId: string;
  /** The event that it is about. */
  readonly eventId: string | null;
  readonly receivedMs: number;
  /** See StoreEnvelope. */
  readonly network: string | null;
  readonly name: string | null;
  readonly contact: string | null;
  readonly message: string;
  readonly url: string | null;
}

/** Sentry's own limit for a feedback's message. */
const MAX_MESSAGE_LENGTH = 4_096;
const MAX_NAME_LENGTH = 250;
const MAX_URL_LENGTH = 500;

type FeedbackText = Pick<NewFeedback, 'eventId' | 'name' | 'contact' | 'message' | 'url'>;

/**
 * Reads an item of type `feedback` (an event with a context of that name), or the older `user_report`. Returns undefined
 * where there is no message.
 *
 * @see https://develop.sentry.dev/application-architecture/feedback-architecture/
 */
export function readFeedback(type: string, body: Fields): FeedbackText | undefined {
  const report = type === 'user_report' ? body : fieldsAt(body, 'contexts', 'feedback');
  const message = columnText(report['message'] ?? report['comments'], MAX_MESSAGE_LENGTH);
  if (message === null) return undefined;
  return {
    message,
    eventId: eventIdOf(report['associated_event_id'] ?? report['event_id']),
    name: columnText(report['name'], MAX_NAME_LENGTH),
    contact: columnText(report['contact_email'] ?? report['email'], MAX_NAME_LENGTH),
    url: columnText(report['url'], MAX_URL_LENGTH)?.replace(/[?#].*$/s, '') ?? null,
  };
}
