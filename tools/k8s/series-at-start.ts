import type { Caps } from '../../backend/src/maintenance/caps.ts';
import { addRelayGauges, addSpoolGauges } from '../../backend/src/health/gauges.ts';
import { addStoreGauge } from '../../backend/src/maintenance/store-maintenance.ts';
import { addVolumeGauges } from '../../backend/src/maintenance/volume.ts';
import type { Relay } from '../../backend/src/relay/relay.ts';
import type { SpoolCounts } from '../../backend/src/spool/protocol/spool-messages.ts';
import type { Spool } from '../../backend/src/spool/spool.ts';
import type { EventStore } from '../../backend/src/store/event-store.ts';
import { Metrics } from '../../backend/src/telemetry/metrics.ts';

export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string | number | undefined>>;
}

const CLASSES = [0, 1, 2, 3, 4] as const;
const NO_CAPS: Caps = { store: 0, storeFile: 0, storeLog: 0, sourceMaps: 0, spool: 0, deadLetters: 0 };
const EMPTY_SPOOL: SpoolCounts = {
  queued: 0,
  classes: CLASSES.map((each) => ({ class: each, envelopes: 0, bytes: 0, oldestReceivedAtMs: null })),
  forUpstreams: [],
  forStore: 0,
  ledger: [],
  discards: [],
  deadLetters: 0,
  fill: 0,
  bytes: 0,
  maxBytes: 1,
};

/**
 * Lists the series of /metrics at the start of Errata, before its first error. An alert on a figure that starts later
 * misses the first one: Prometheus sees no increase.
 */
export async function seriesAtStart(): Promise<readonly Series[]> {
  const metrics = new Metrics();
  const spool = { ask: () => Promise.resolve(EMPTY_SPOOL) } as unknown as Spool;
  const relay = {
    states: () => ({ upstream: 'flowing' }),
    windows: () => ({ upstream: 1 }),
  } as unknown as Relay;
  addSpoolGauges(spool, metrics, new Set());
  addRelayGauges(relay, metrics);
  addStoreGauge({ ask: () => Promise.resolve(0) } as unknown as EventStore, metrics);
  addVolumeGauges(
    metrics,
    () => NO_CAPS,
    () => 0,
  );
  const values = await metrics.registry.getMetricsAsJSON();
  return values.flatMap(({ name, values: all }) =>
    // The parts of Errata that count by labels start their series; without those parts a counter has none.
    all.length === 0 ? [{ name, labels: {} }] : all.map(({ labels }) => ({ name, labels })),
  );
}
