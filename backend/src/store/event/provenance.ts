import type { Provenance } from '../../contract/event-api.ts';
import type { EnvelopeSource } from '../../sink/queued-envelope.ts';

/** The column `event.origin` holds the index in this list: an index never gets a new meaning. */
const ORIGINS: readonly Provenance['origin'][] = ['unknown', 'own', 'gateway', 'server_key', 'browser'];

const ORIGIN_OF: Readonly<Record<EnvelopeSource, Provenance['origin']>> = {
  own: 'own',
  gateway: 'gateway',
  server: 'server_key',
  tunnel: 'browser',
};

/** Returns the number of a sender, for the column `event.origin`. */
export function originOf(source: EnvelopeSource): number {
  return ORIGINS.indexOf(ORIGIN_OF[source]);
}

/** Returns whether events with this source are confirmed. */
export function isConfirmedSource(source: EnvelopeSource): boolean {
  return provenanceOf(originOf(source)).isConfirmed;
}

/**
 * Returns the sender by the number of the column. An event is confirmed if its sender has a secret. No browser has one:
 * a stranger can read and send all that a page contains.
 */
export function provenanceOf(number: number): Provenance {
  const origin = ORIGINS[number] ?? 'unknown';
  return { origin, isConfirmed: origin !== 'browser' && origin !== 'unknown' };
}

/** The numbers of the senders that have a secret. */
export const CONFIRMED_ORIGINS: readonly number[] = [...ORIGINS.keys()].filter(
  (number) => provenanceOf(number).isConfirmed,
);
