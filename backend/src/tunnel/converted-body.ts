import type { IncomingMessage } from 'node:http';
import type { AllowedProject } from './allow-list.ts';
import type { Reservation } from './body-memory.ts';
import type { Intake, RequestMeta } from './intake.ts';
import { REFUSALS } from './body-buffer.ts';
import type { TunnelResponse } from './response.ts';
import type { Route } from './tunnel-paths.ts';

/** A request whose body is no envelope and is converted into one. */
export interface Upload {
  readonly request: IncomingMessage;
  readonly route: Route;
  readonly meta: RequestMeta;
  readonly reservation: Reservation;
}

/** An item of an envelope that the tunnel writes. */
export interface WrittenItem {
  readonly type: 'event' | 'transaction' | 'feedback' | 'user_report' | 'security' | 'raw_security' | 'nel';
  readonly payload: Buffer;
  /** Release and environment of the application, where they are known and the payload does not contain them. */
  readonly sentry_release?: string;
  readonly sentry_environment?: string;
}

interface Conversion {
  readonly upload: Upload;
  readonly intake: Intake;
  readonly project: AllowedProject;
}

/** Passes the envelope made from a body to the intake, without the request's credentials: it names its project. */
export function acceptConverted(
  { upload: { meta, reservation }, intake, project }: Conversion,
  envelope: Buffer,
): TunnelResponse | Promise<TunnelResponse> {
  // The received body and its decoded form stay in memory beside the envelope.
  const admission = reservation.grow(envelope.length);
  if (admission !== 'ok') return { ...REFUSALS[admission], project };
  return intake.accept(envelope, { ...meta, credentials: { projectId: null, keys: [] } });
}

/** Writes an envelope with these items. @param dsn canonical, with either key of the project. */
export function writeEnvelope(dsn: string, eventId: string, items: readonly WrittenItem[]): Buffer {
  const header = Buffer.from(JSON.stringify({ event_id: eventId, dsn }));
  const parts = items.flatMap(({ type, payload, ...names }) => {
    const item = { type, length: payload.length, content_type: 'application/json', ...names };
    return [Buffer.from(`\n${JSON.stringify(item)}\n`), payload];
  });
  return Buffer.concat([header, ...parts]);
}

/** Parses the JSON of a client. Returns undefined for any value other than an object or an array. */
export function jsonIn(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the string at a path of own members. */
export function stringIn(value: unknown, ...path: readonly string[]): string | undefined {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Object.getOwnPropertyDescriptor(at, key)?.value;
  }
  return typeof at === 'string' ? at : undefined;
}
