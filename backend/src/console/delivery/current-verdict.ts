import type { DeliveryVerdict } from '../../contract/delivery-api.ts';
import { balanceOf } from '../../outcome/balance.ts';
import type { Relay } from '../../relay/relay.ts';
import { strandedIn } from '../../spool/backlog.ts';
import type { SpoolCounts } from '../../spool/protocol/spool-messages.ts';
import type { Spool } from '../../spool/spool.ts';
import { unmovedWallMs } from '../../time/monotonic-clock.ts';
import { type JudgedSink, verdictOf } from './verdict.ts';

/** Parts of the process that a verdict reads. */
export interface JudgedParts {
  readonly spool: Spool;
  readonly relay: Relay;
}

/** Returns the verdict; without `counts` from memory alone, so that it costs the spool's thread nothing. */
export function currentVerdict({ spool, relay }: JudgedParts, counts?: SpoolCounts): DeliveryVerdict {
  const sinks = relay.sinks();
  const upstreams = new Set(sinks.flatMap(({ project }) => project ?? []));
  const facts = {
    sinks: sinks.map((sink) => ({ ...sink, limits: limitsOf(spool, sink.project) })),
    rejecting: spool.rejecting,
    ...(counts !== undefined && {
      stranded: strandedIn(counts, upstreams),
      missing: balanceOf(counts.ledger, counts.queued).missing,
    }),
  };
  return verdictOf(facts, unmovedWallMs());
}

/** Returns the rate limits of an upstream. @param project null for the store. */
export function limitsOf({ rateLimits }: Spool, project: string | null): JudgedSink['limits'] {
  return project === null ? [] : rateLimits.of(project);
}
