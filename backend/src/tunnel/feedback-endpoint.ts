import { hash } from 'node:crypto';
import { eventIdOf } from '../envelope/event-id.ts';
import { writeEnvelope } from '../envelope/write-envelope.ts';
import { acceptConverted, jsonIn, stringIn, type Upload } from './converted-body.ts';
import type { Intake, RequestMeta } from './intake.ts';
import { type BodyLimits, readBody } from './read-body.ts';
import type { TunnelResponse } from './response.ts';
import type { Route } from './tunnel-paths.ts';

/** What a person wrote about an event, as the item `user_report` holds it. */
interface UserReport {
  readonly event_id: string;
  readonly name: string;
  readonly email: string;
  readonly comments: string;
}

/**
 * Accepts what a person wrote about an event, in JSON or as a form: Sentry's user-feedback API, and the dialog of
 * `showReportDialog`, whose query names the event. It becomes an item `user_report`.
 *
 * @param limits of the body, as it is sent and decoded.
 * @see https://docs.sentry.io/api/projects/submit-user-feedback/
 */
export async function acceptFeedback(
  upload: Upload,
  intake: Intake,
  limits: BodyLimits,
): Promise<TunnelResponse> {
  const { request, route, meta, reservation } = upload;
  const project = intake.authenticate(meta.credentials);
  if ('outcome' in project) return project;
  const body = await readBody(request, limits, reservation);
  if (body.outcome !== 'ok') return body;
  const report = reportIn(body.bytes, eventOfDialog(route));
  if (report === undefined)
    return intake.rejectMalformed(body.bytes, meta, project, 'expected event_id and comments');
  const payload = Buffer.from(JSON.stringify(report));
  // An id of its own, not that of the event: the same for a repeat, another one for other words about the same event.
  const id = hash('sha256', payload, 'hex').slice(0, 32);
  return acceptConverted(
    { upload, intake, project },
    writeEnvelope(project.project, id, [{ type: 'user_report', payload }]),
  );
}

/** Returns the rejection of a request for the dialog; undefined for one with an allowed DSN and an event. */
export function dialogRejection(
  { credentials }: Pick<RequestMeta, 'credentials'>,
  route: Route,
  intake: Intake,
): TunnelResponse | undefined {
  const project = intake.authenticate(credentials);
  if ('outcome' in project) return project;
  if (eventOfDialog(route) !== null) return undefined;
  return { outcome: 'malformed', detail: 'expected eventId', project };
}

function eventOfDialog({ query }: Route): string | null {
  return eventIdOf(new URLSearchParams(query).get('eventId'));
}

/** @param named id of the event in the query, which a body of the dialog does not contain. */
function reportIn(bytes: Buffer, named: string | null): UserReport | undefined {
  const body = bytes.toString('utf8');
  const fields = body.trimStart().startsWith('{')
    ? jsonIn(bytes)
    : Object.fromEntries(new URLSearchParams(body));
  const text = (name: string): string => stringIn(fields, name)?.toWellFormed() ?? '';
  const eventId = eventIdOf(text('event_id')) ?? named;
  const comments = text('comments');
  if (eventId === null || comments.trim() === '') return undefined;
  return { event_id: eventId, name: text('name'), email: text('email'), comments };
}
