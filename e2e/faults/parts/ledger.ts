import type { ErrataProcess } from '../../fixtures/errata-process.ts';
import { waitFor } from './waiting.ts';

/** Each look at the ledger costs Errata some milliseconds of the core it delivers with. */
const LOOK_EVERY_MS = 250;

/** What /metrics tells, as text: one line for each series. */
export async function readMetrics(errata: ErrataProcess): Promise<readonly string[]> {
  const answer = await fetch(`${errata.managementUrl}/metrics`);
  return (await answer.text()).split('\n');
}

/** Sum of all series whose line, up to the value, matches; 0 where there is none. */
function sumOf(metrics: readonly string[], series: RegExp): number {
  let sum = 0;
  for (const line of metrics) {
    const end = line.lastIndexOf(' ');
    if (!line.startsWith('#') && series.test(line.slice(0, end))) sum += Number(line.slice(end + 1));
  }
  return sum;
}

/** A count of the ledger; `held` and `missing` are the ones that say whether it is quiet. */
export async function fate(
  errata: ErrataProcess,
  name: 'accepted' | 'delivered' | 'held' | 'dead_lettered' | 'expired' | 'shed' | 'missing',
): Promise<number> {
  const label = name === 'dead_lettered' ? 'dead_?[lL]ettered' : name;
  return sumOf(await readMetrics(errata), new RegExp(`^errata_spool_envelopes\\{fate="${label}"\\}$`));
}

/** How often the spool met damage of a kind: `lost`, `corrupt`, `thread_death`; all kinds by default. */
export async function spoolFaults(errata: ErrataProcess, kind = '\\w+'): Promise<number> {
  return sumOf(await readMetrics(errata), new RegExp(`^errata_spool_faults_total\\{fault="${kind}"\\}$`));
}

/** Waits until nothing is held any more; whether that came in time. */
export function emptied(errata: ErrataProcess, timeoutMs: number): Promise<boolean> {
  return waitFor(async () => (await fate(errata, 'held')) === 0, timeoutMs, LOOK_EVERY_MS);
}
