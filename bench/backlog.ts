import { setTimeout as delay } from 'node:timers/promises';
import { readLedger } from './ledger.ts';
import { type Bench, measure } from './bench.ts';
import type { Load } from './load.ts';
import type { RunningServer } from './running-server.ts';
import type { Upstream } from './upstream.ts';

/** What became of the envelopes Errata answered 200. */
export interface Backlog {
  /** First commits, by its own ledger; up to one more per connection than the loader saw answered when it stopped. */
  readonly accepted: number;
  /** Requests the upstream answered 200. */
  readonly delivered: number;
  /** From the start of the wait until the upstream had all. */
  readonly upstreamSeconds: number;
  /** From the start of the wait until nothing was queued any more, the store included; null: gave up waiting. */
  readonly allSeconds: number | null;
}

/** Longer than any backlog of a round takes; then something is stuck. */
const GIVE_UP_MS = 300_000;
/** How often the upstream's count is read. */
const LOOK_MS = 100;
/** The ledger is read at most for a tenth of the time: reading it is work for the server whose speed is seen here. */
const LEDGER_REST_FACTOR = 9;

/** Counts at the moment from which a backlog is counted. */
export interface Before {
  readonly accepted: number;
  readonly delivered: number;
}

/** Offers a load that is not measured, waits until Errata has delivered it, and returns the counts of that moment. */
export async function warmUp(
  bench: Bench,
  server: RunningServer,
  load: Omit<Load, 'seconds'>,
): Promise<Before> {
  const { options, upstream } = bench;
  const start: Before = { accepted: 0, delivered: await upstream.answered() };
  await measure(bench, server, { ...load, seconds: options.warmUpSeconds });
  const isDurable = server.kind.promised === 'durable';
  if (isDurable) await waitForBacklog(upstream, server.managementPort, start);
  const accepted = isDurable ? (await readLedger(server.managementPort)).accepted : 0;
  return { accepted, delivered: await upstream.answered() };
}

/** Waits until Errata has delivered all it accepted since `before`. */
export async function waitForBacklog(
  upstream: Upstream,
  managementPort: number,
  before: Before,
): Promise<Backlog> {
  const startedAtMs = performance.now();
  const seconds = (): number => (performance.now() - startedAtMs) / 1_000;
  let upstreamSeconds: number | undefined;
  let nextLedgerMs = 0;
  let ledger = await readLedger(managementPort);
  while (ledger.queued > 0 && performance.now() - startedAtMs < GIVE_UP_MS) {
    await delay(LOOK_MS);
    if ((await upstream.answered()) - before.delivered < ledger.accepted - before.accepted) continue;
    upstreamSeconds ??= seconds();
    if (performance.now() < nextLedgerMs) continue;
    const askedAtMs = performance.now();
    ledger = await readLedger(managementPort);
    nextLedgerMs = performance.now() + (performance.now() - askedAtMs) * LEDGER_REST_FACTOR;
  }
  return {
    accepted: ledger.accepted - before.accepted,
    delivered: (await upstream.answered()) - before.delivered,
    upstreamSeconds: upstreamSeconds ?? seconds(),
    allSeconds: ledger.queued === 0 ? seconds() : null,
  };
}

/** Whether everything answered was kept and everything kept went on. */
export function isKept({ accepted, delivered, allSeconds }: Backlog, answered: number): boolean {
  return answered <= accepted && accepted === delivered && allSeconds !== null;
}
