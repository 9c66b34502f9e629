import type { SinkState } from '../contract/delivery-api.ts';
import { REPORTED_CATEGORIES } from '../envelope/quantities.ts';
import { balanceOf } from '../outcome/balance.ts';
import { DISCARD_REASONS, LEDGER_REASONS } from '../outcome/outcome.ts';
import type { Relay } from '../relay/relay.ts';
import { strandedIn } from '../spool/backlog.ts';
import type { Spool } from '../spool/spool.ts';
import { type ClassCounts, REJECTING_CAUSES, type SpoolCounts } from '../spool/protocol/spool-messages.ts';
import type { GaugeOptions, GaugeReading, Metrics } from '../telemetry/metrics.ts';
import type { BodyMemory } from '../tunnel/body-memory.ts';

/** Names of the classes in metrics, most important first. */
const CLASSES = ['critical', 'high', 'medium', 'low', 'lowest'];

/** Lines of the ledger, discards and classes that the counts leave out while they are 0. */
const LEDGER_LINES = Object.entries(LEDGER_REASONS).flatMap(([fate, reasons]) =>
  reasons.map((reason) => ({ fate, reason })),
);
const DISCARDS = DISCARD_REASONS.flatMap((reason) =>
  REPORTED_CATEGORIES.map((category) => ({ reason, category })),
);
const EACH_CLASS = CLASSES.map((name) => ({ class: name }));

interface SpoolGauge extends GaugeOptions {
  readonly read: (counts: SpoolCounts) => readonly GaugeReading[];
}

const GAUGES: readonly SpoolGauge[] = [
  {
    name: 'errata_spool_envelopes',
    help: 'Ledger: accepted, queued, each fate, and missing (always 0)',
    labels: ['fate'],
    read: ({ queued, ledger }) =>
      Object.entries(balanceOf(ledger, queued)).map(([name, value]) => ({
        labels: { fate: name === 'deadLettered' ? 'dead_lettered' : name },
        value,
      })),
  },
  {
    name: 'errata_spool_ledger',
    help: 'Envelopes by fate and reason',
    labels: ['fate', 'reason'],
    known: LEDGER_LINES,
    read: ({ ledger }) =>
      ledger.map(({ fate, reason, count }) => ({ labels: { fate, reason }, value: count })),
  },
  {
    name: 'errata_dropped_items',
    help: 'Dropped items, as reported in client reports',
    labels: ['reason', 'category'],
    known: DISCARDS,
    read: ({ discards }) =>
      discards.map(({ reason, category, quantity }) => ({ labels: { reason, category }, value: quantity })),
  },
  {
    name: 'errata_spool_queued',
    help: 'Queued envelopes by class',
    labels: ['class'],
    known: EACH_CLASS,
    read: (counts) => byClass(counts, ({ envelopes }) => envelopes),
  },
  {
    name: 'errata_spool_bytes',
    help: 'Queued bytes by class',
    labels: ['class'],
    known: EACH_CLASS,
    read: (counts) => byClass(counts, ({ bytes }) => bytes),
  },
  {
    name: 'errata_spool_oldest_seconds',
    help: 'Age of the oldest queued envelope by class',
    labels: ['class'],
    known: EACH_CLASS,
    read: (counts) => byClass(counts, ({ oldestReceivedAtMs }) => ageSeconds(oldestReceivedAtMs, Date.now())),
  },
  {
    name: 'errata_spool_fill',
    help: 'Used share of the maximum size, 0 to 1',
    labels: [],
    read: ({ fill }) => [{ labels: {}, value: fill }],
  },
  {
    name: 'errata_dead_letters',
    help: 'Stored dead letters',
    labels: [],
    read: ({ deadLetters }) => [{ labels: {}, value: deadLetters }],
  },
];

/** Adds the gauges of the spool. The spool's thread counts on a scrape; see {@link RecentCounts}. @param upstreams projects with an upstream. */
export function addSpoolGauges(spool: Spool, metrics: Metrics, upstreams: ReadonlySet<string>): void {
  const counts = metrics.once(() => spool.ask('recentCounts'));
  for (const gauge of [...GAUGES, strandedGauge(upstreams)]) {
    metrics.gauge(gauge, async () => gauge.read(await counts()));
  }
  metrics.gauge(
    {
      name: 'errata_intake_rejecting',
      help: '1 while the tunnel answers errors with 503, by reason',
      labels: ['reason'],
    },
    () =>
      Promise.resolve(
        REJECTING_CAUSES.map((reason) => ({ labels: { reason }, value: spool.rejecting === reason ? 1 : 0 })),
      ),
  );
}

function strandedGauge(upstreams: ReadonlySet<string>): SpoolGauge {
  return {
    name: 'errata_spool_stranded',
    help: 'Envelopes queued for upstreams that are no longer in the settings',
    labels: [],
    read: (counts) => {
      const envelopes = strandedIn(counts, upstreams).map((one) => one.envelopes);
      return [{ labels: {}, value: envelopes.reduce((sum, count) => sum + count, 0) }];
    },
  };
}

/** Adds gauges of the sinks' states. Alert on a paused sink: its errors wait for an operator. */
export function addRelayGauges(relay: Relay, metrics: Metrics): void {
  const read = (value: (state: SinkState) => number) => () =>
    Promise.resolve(
      Object.entries(relay.states()).map(([sink, state]) => ({ labels: { sink }, value: value(state) })),
    );
  metrics.gauge(
    {
      name: 'errata_relay_failing',
      help: '1 while every delivery to a sink fails',
      labels: ['sink'],
    },
    read((state) => (state === 'flowing' ? 0 : 1)),
  );
  metrics.gauge(
    {
      name: 'errata_relay_paused',
      help: '1 while an upstream rejects the DSN and its envelopes wait for an operator',
      labels: ['sink'],
    },
    read((state) => (state === 'paused' ? 1 : 0)),
  );
  metrics.gauge(
    {
      name: 'errata_relay_window',
      help: 'Envelopes that may be in flight to an upstream, by its latency; at most ERRATA_UPSTREAM_CONNECTIONS',
      labels: ['sink'],
    },
    () =>
      Promise.resolve(Object.entries(relay.windows()).map(([sink, value]) => ({ labels: { sink }, value }))),
  );
}

/** Adds the gauge of the memory of request bodies. */
export function addMemoryGauge(metrics: Metrics, memory: BodyMemory): void {
  metrics.gauge(
    {
      name: 'errata_tunnel_memory',
      help: 'Request bodies being read: reserved bytes, and number of bodies over 64 KiB',
      labels: ['of'],
    },
    () =>
      Promise.resolve([
        { labels: { of: 'bytes' }, value: memory.usedBytes },
        { labels: { of: 'large' }, value: memory.large },
      ]),
  );
}

function byClass({ classes }: SpoolCounts, read: (counts: ClassCounts) => number): readonly GaugeReading[] {
  return classes.map((counts) => ({
    labels: { class: CLASSES[counts.class] ?? 'unknown' },
    value: read(counts),
  }));
}

function ageSeconds(sinceMs: number | null, nowMs: number): number {
  return Math.max(0, nowMs - (sinceMs ?? nowMs)) / 1_000;
}
