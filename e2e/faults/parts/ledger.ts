import { setTimeout as delay } from 'node:timers/promises';
import type { ErrataProcess } from '../../fixtures/errata-process.ts';
import { since, WATCHDOG_MS } from './waiting.ts';

/** Each read of the ledger costs Errata some milliseconds of the core that delivers. */
const LOOK_EVERY_MS = 250;

/** Returns the text of /metrics: one line for each series. */
async function readMetrics(errata: ErrataProcess): Promise<readonly string[]> {
  const answer = await fetch(`${errata.managementUrl}/metrics`);
  return (await answer.text()).split('\n');
}

/** Returns the sum of all series whose line matches up to the value; 0 without a match. */
function sumOf(metrics: readonly string[], series: RegExp): number {
  let sum = 0;
  for (const line of metrics) {
    const end = line.lastIndexOf(' ');
    if (!line.startsWith('#') && series.test(line.slice(0, end))) sum += Number(line.slice(end + 1));
  }
  return sum;
}

/** Returns a count of the ledger. */
export async function fate(
  errata: ErrataProcess,
  name: 'accepted' | 'delivered' | 'queued' | 'dead_lettered' | 'expired' | 'dropped' | 'missing',
): Promise<number> {
  return sumOf(await readMetrics(errata), new RegExp(`^errata_spool_envelopes\\{fate="${name}"\\}$`));
}

/** Number of reasons for which errors are refused now: 0 or 1. */
export async function intakeRejecting(errata: ErrataProcess): Promise<number> {
  return sumOf(await readMetrics(errata), /^errata_intake_rejecting\{/);
}

/** Cap of the queued envelopes now, bytes. */
export async function spoolCap(errata: ErrataProcess): Promise<number> {
  return sumOf(await readMetrics(errata), /^errata_cap_bytes\{of="spool"\}$/);
}

/** How often the spool met damage of a kind: `lost`, `corrupt`, `thread_death`; all kinds by default. */
export async function spoolFaults(errata: ErrataProcess, kind = '\\w+'): Promise<number> {
  return sumOf(await readMetrics(errata), new RegExp(`^errata_spool_faults_total\\{fault="${kind}"\\}$`));
}

/** Number of deliveries to a project of the upstream that ended with an outcome, for any reason by default. */
export async function deliveries(
  errata: ErrataProcess,
  project: number,
  outcome: 'delivered' | 'retry' | 'held' | 'dropped' | 'refused',
  reason = '\\w*',
): Promise<number> {
  const labels = `sink="upstream [^"]*/${project} \\w+",outcome="${outcome}",reason="${reason}"`;
  return sumOf(await readMetrics(errata), new RegExp(`^errata_relay_deliveries_total\\{${labels}\\}$`));
}

/** Number of log lines that were dropped because standard output is not read. */
export async function droppedLogLines(errata: ErrataProcess): Promise<number> {
  return sumOf(await readMetrics(errata), /^errata_log_lines_dropped_total$/);
}

/** Returns the memory of the bodies that the tunnel receives. */
export async function bodyBytes(errata: ErrataProcess): Promise<number> {
  return sumOf(await readMetrics(errata), /^errata_tunnel_memory\{of="bytes"\}$/);
}

/** Returns the mean of a histogram of seconds, ms: `errata_spool_commit_seconds`. */
export async function meanMs(errata: ErrataProcess, histogram: string): Promise<number> {
  const metrics = await readMetrics(errata);
  const [sum, count] = [`^${histogram}_sum$`, `^${histogram}_count$`].map((series) =>
    sumOf(metrics, new RegExp(series)),
  );
  return ((sum ?? Number.NaN) / (count ?? Number.NaN)) * 1_000;
}

/** Waits until the queue is empty. @throws when the watchdog sees it shrink no more: an envelope was not settled. */
export async function emptied(errata: ErrataProcess): Promise<void> {
  let least = Infinity;
  let shrankAtMs = performance.now();
  for (;;) {
    const queued = await fate(errata, 'queued');
    if (queued === 0) return;
    if (queued < least) {
      least = queued;
      shrankAtMs = performance.now();
    } else if (since(shrankAtMs) > WATCHDOG_MS) {
      throw new Error(`${queued} envelopes stay in the queue for ${WATCHDOG_MS / 1_000} s`);
    }
    await delay(LOOK_EVERY_MS);
  }
}
