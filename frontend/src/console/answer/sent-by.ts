import type { Provenance } from '@errata/backend/contract/event-api.ts';

const SENDERS: Readonly<Record<Provenance['origin'], string | null>> = {
  own: 'This server',
  gateway: 'A gateway',
  server_key: 'A server, with its key',
  browser: 'Public key',
  unknown: null,
};

/** Returns who sent an event; null if an earlier version stored it. */
export function sentBy({ provenance }: { readonly provenance: Provenance }): string | null {
  return SENDERS[provenance.origin];
}
