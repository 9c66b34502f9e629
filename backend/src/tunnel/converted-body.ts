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
  const admission = reservation.growNow(envelope.length);
  if (admission !== 'ok') return { ...REFUSALS[admission], project };
  return intake.accept(envelope, { ...meta, credentials: { projectId: null, keys: [] } });
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
