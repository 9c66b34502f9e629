import { setTimeout as delay } from 'node:timers/promises';
import type { Upstream } from './upstream.ts';

/** What became of the envelopes Errata answered 200 in one round. */
export interface Backlog {
  /** First commits, by its own ledger; up to one more per connection than the loader saw answered when it stopped. */
  readonly accepted: number;
  /** Requests the upstream answered. */
  readonly delivered: number;
  /** From the end of the load until the upstream had all. */
  readonly upstreamSeconds: number;
  /** From the end of the load until nothing was held any more, the store included; null: gave up waiting. */
  readonly allSeconds: number | null;
}

/** Longer than any backlog of a round takes; then something is stuck. */
const GIVE_UP_MS = 300_000;
/** How often progress is looked for; the looks cost the server a little. */
const LOOK_MS = 100;

/** Waits until Errata has delivered all it accepted. */
export async function waitForBacklog(
  upstream: Upstream,
  managementPort: number,
  before: number,
): Promise<Backlog> {
  const startedAtMs = performance.now();
  const seconds = (): number => (performance.now() - startedAtMs) / 1_000;
  let upstreamSeconds: number | undefined;
  for (;;) {
    const delivered = (await upstream.delivered()) - before;
    const { accepted, held } = await ledger(managementPort);
    if (delivered >= accepted) upstreamSeconds ??= seconds();
    const isStuck = performance.now() - startedAtMs > GIVE_UP_MS;
    if (held === 0 || isStuck) {
      const allSeconds = held === 0 ? seconds() : null;
      return { accepted, delivered, upstreamSeconds: upstreamSeconds ?? seconds(), allSeconds };
    }
    await delay(LOOK_MS);
  }
}

async function ledger(managementPort: number): Promise<{ readonly accepted: number; readonly held: number }> {
  const answer = await fetch(`http://127.0.0.1:${managementPort}/metrics`);
  const text = await answer.text();
  return { accepted: count(text, 'accepted'), held: count(text, 'held') };
}

function count(metrics: string, fate: string): number {
  const value = new RegExp(`^errata_spool_envelopes\\{fate="${fate}"\\} (\\S+)$`, 'm').exec(metrics)?.[1];
  if (value === undefined) throw new Error(`no count of ${fate} envelopes among the metrics`);
  return Number(value);
}
