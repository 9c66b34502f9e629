import { referenceOf } from '../../digest/crockford.ts';
import type { EnvelopeSource } from '../../sink/queued-envelope.ts';
import {
  browserEvent,
  type EventBody,
  eventEnvelope,
  eventIdOf,
  RECEIVED_MS,
  serverEvent,
} from './envelopes.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';

/** What a browser names of the server's response. */
export interface Named {
  readonly digest?: string;
  readonly reference?: string;
}

/** An event so many ms after the moment of all fixtures. */
export interface Happening {
  readonly afterMs?: number;
  readonly changes?: EventBody;
  readonly source?: EnvelopeSource;
}

export function serverReport(number: number, { afterMs = 0, changes, source = 'tunnel' }: Happening = {}) {
  const timestamp = (RECEIVED_MS + afterMs) / 1000;
  const body = serverEvent(number, 'orders/load', { timestamp, ...changes });
  return eventEnvelope(body, { source, receivedAtMs: RECEIVED_MS + afterMs });
}

/** Stores a failure of the server and returns the names that its response has. */
export async function serverFails(store: TestedStore, number: number, happening: Happening = {}) {
  await store.ingest([serverReport(number, happening)]);
  const digest = (await store.ask('event', eventIdOf(number)))?.digest ?? '';
  return { digest, reference: referenceOf(eventIdOf(number)) };
}

export function browserReport(
  number: number,
  { digest, reference }: Named,
  { afterMs = 0, changes }: Happening = {},
) {
  const timestamp = (RECEIVED_MS + afterMs) / 1000;
  const tags = { 'errata.server_digest': digest, 'errata.server_reference': reference };
  const body = browserEvent(number, { timestamp, tags, ...changes });
  return eventEnvelope(body, { receivedAtMs: RECEIVED_MS + afterMs });
}

export async function browserFails(store: TestedStore, number: number, named: Named, happening?: Happening) {
  await store.ingest([browserReport(number, named, happening)]);
}

/** Event numbers of strangers: more than are read of any list. */
export const FORGED = Array.from({ length: 25 }, (_, index) => 100 + index);

/** A visitor whose events have a trace and a breadcrumb of their own. */
export function visitor(name: string, afterMs: number): Happening {
  const timestamp = (RECEIVED_MS + afterMs - 500) / 1000;
  const trace = { trace_id: Buffer.from(name.padEnd(16)).toString('hex') };
  return {
    afterMs,
    changes: { contexts: { trace }, breadcrumbs: [{ message: `${name} clicks`, timestamp }] },
  };
}

/** Returns the numbers of the linked and of the nearby event, 0 for none. */
export async function othersOf(store: TestedStore, number: number): Promise<readonly number[]> {
  const event = await store.ask('event', eventIdOf(number));
  return [event?.linkedEvent, event?.nearbyEvent].map((other) =>
    Number.parseInt(other?.eventId.slice(0, 8) ?? '0', 16),
  );
}
