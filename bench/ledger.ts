/** Errata's ledger, from its metrics. */
export interface Ledger {
  /** First commits. */
  readonly accepted: number;
  /** Not yet settled by all sinks, the store included. */
  readonly queued: number;
}

/** Counting is work for Errata too, the more the deeper its spool: not to be asked in a tight loop. */
export async function readLedger(managementPort: number): Promise<Ledger> {
  const answer = await fetch(`http://127.0.0.1:${managementPort}/metrics`);
  const text = await answer.text();
  return { accepted: count(text, 'accepted'), queued: count(text, 'queued') };
}

function count(metrics: string, fate: string): number {
  const value = new RegExp(`^errata_spool_envelopes\\{fate="${fate}"\\} (\\S+)$`, 'm').exec(metrics)?.[1];
  if (value === undefined) throw new Error(`no count of ${fate} envelopes among the metrics`);
  return Number(value);
}
