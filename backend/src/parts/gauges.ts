import { balanceOf } from '../outcome/balance.ts';
import type { Spool } from '../spool/spool.ts';
import type { ClassCounts, SpoolCounts } from '../spool/protocol/spool-messages.ts';
import type { Metrics, Reading } from '../telemetry/metrics.ts';

/** Names of the classes in metrics, most important first. */
const CLASSES = ['critical', 'high', 'medium', 'low', 'lowest'];

interface SpoolGauge {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly read: (counts: SpoolCounts) => readonly Reading[];
}

const GAUGES: readonly SpoolGauge[] = [
  {
    name: 'errata_spool_envelopes',
    help: 'The ledger: accepted, held, each fate, and missing (0)',
    labels: ['fate'],
    read: ({ held, ledger }) =>
      Object.entries(balanceOf(ledger, held)).map(([fate, value]) => ({ labels: { fate }, value })),
  },
  {
    name: 'errata_spool_ends',
    help: 'Envelopes by fate and reason',
    labels: ['fate', 'reason'],
    read: ({ ledger }) =>
      ledger.map(({ fate, reason, count }) => ({ labels: { fate, reason }, value: count })),
  },
  {
    name: 'errata_discarded_items',
    help: 'Items let go of, as client reports tell upstreams',
    labels: ['reason', 'category'],
    read: ({ discards }) =>
      discards.map(({ reason, category, quantity }) => ({ labels: { reason, category }, value: quantity })),
  },
  {
    name: 'errata_spool_held',
    help: 'Envelopes held, by class',
    labels: ['class'],
    read: (counts) => byClass(counts, ({ envelopes }) => envelopes),
  },
  {
    name: 'errata_spool_bytes',
    help: 'Bytes held, by class',
    labels: ['class'],
    read: (counts) => byClass(counts, ({ bytes }) => bytes),
  },
  {
    name: 'errata_spool_oldest_seconds',
    help: 'Age of the oldest envelope held, by class',
    labels: ['class'],
    read: (counts) => byClass(counts, ({ oldestReceivedAtMs }) => ageSeconds(oldestReceivedAtMs, Date.now())),
  },
  {
    name: 'errata_spool_fill',
    help: 'Share of the cap that is used, 0 to 1',
    labels: [],
    read: ({ fill }) => [{ labels: {}, value: fill }],
  },
  {
    name: 'errata_dead_letters',
    help: 'Dead letters kept',
    labels: [],
    read: ({ deadLetters }) => [{ labels: {}, value: deadLetters }],
  },
];

/**
 * The ledger and what the spool holds, counted by the spool itself whenever somebody asks for the metrics.
 *
 * @param upstreams projects that are forwarded.
 */
export function addSpoolGauges(spool: Spool, metrics: Metrics, upstreams: ReadonlySet<string>): void {
  const counts = metrics.once(() => spool.ask('counts', null));
  for (const { name, help, labels, read } of [...GAUGES, strandedGauge(upstreams)]) {
    metrics.gauge(name, help, labels, async () => read(await counts()));
  }
}

function strandedGauge(upstreams: ReadonlySet<string>): SpoolGauge {
  return {
    name: 'errata_spool_stranded',
    help: 'Envelopes held for upstreams that are not in the settings any more',
    labels: [],
    read: (counts) => {
      const envelopes = strandedIn(counts, upstreams).map((one) => one.envelopes);
      return [{ labels: {}, value: envelopes.reduce((sum, count) => sum + count, 0) }];
    },
  };
}

/**
 * What waits for upstreams that are not in the settings any more, because a key was changed for example: nobody brings
 * it on, and it goes when it is too old.
 */
export function strandedIn(
  { forUpstreams }: SpoolCounts,
  upstreams: ReadonlySet<string>,
): SpoolCounts['forUpstreams'] {
  return forUpstreams.filter(({ project }) => !upstreams.has(project));
}

function byClass({ classes }: SpoolCounts, read: (counts: ClassCounts) => number): readonly Reading[] {
  return classes.map((counts) => ({
    labels: { class: CLASSES[counts.class] ?? 'unknown' },
    value: read(counts),
  }));
}

function ageSeconds(sinceMs: number | null, nowMs: number): number {
  return Math.max(0, nowMs - (sinceMs ?? nowMs)) / 1_000;
}
