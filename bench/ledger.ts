/** Errata's ledger, from its metrics. */
export interface Ledger {
  /** First commits. */
  readonly accepted: number;
  /** Not yet settled by all sinks, the store included. */
  readonly queued: number;
}

/** Counting is work for Errata too, the more the deeper its spool: not to be asked in a tight loop. */
export async function readLedger(managementPort: number): Promise<Ledger> {
  const envelopes = await counts(managementPort, 'errata_spool_envelopes', 'fate');
  return { accepted: envelopes('accepted'), queued: envelopes('queued') };
}

/** Pages for gateways by what became of their events. */
export interface PageCounts {
  readonly recorded: number;
  readonly limited: number;
}

/** Returns the counts since the start of the process. */
export async function readPages(managementPort: number): Promise<PageCounts> {
  const pages = await counts(managementPort, 'errata_gateway_pages_total', 'outcome');
  return { recorded: pages('recorded'), limited: pages('limited') };
}

/** Reads a metric. @returns a function from a value of its label to its count. */
async function counts(
  managementPort: number,
  metric: string,
  label: string,
): Promise<(value: string) => number> {
  const answer = await fetch(`http://127.0.0.1:${managementPort}/metrics`);
  const text = await answer.text();
  return (value) => {
    const found = new RegExp(`^${metric}\\{${label}="${value}"\\} (\\S+)$`, 'm').exec(text)?.[1];
    if (found === undefined) throw new Error(`no ${metric} with ${label} ${value} among the metrics`);
    return Number(found);
  };
}
