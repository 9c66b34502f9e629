import type { Config } from '../config/config.ts';
import type { DispatcherState } from '../relay/circuit-breaker.ts';
import type { DispatcherOptions } from '../relay/dispatcher-options.ts';
import type { Relay } from '../relay/relay.ts';
import type { ScrubThread } from '../relay/scrub-thread.ts';
import { ScrubbedSink } from '../relay/scrubbed-sink.ts';
import { type LimitKeep, Upstream } from '../relay/upstream.ts';
import { STORE_BIT, UPSTREAM_BIT } from '../sink/queued-envelope.ts';
import type { EventStore } from '../store/event-store.ts';
import { BATCHES_AT_ONCE, StoreSink } from '../store/store-sink.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { AllowedProject } from '../tunnel/allow-list.ts';

/** Covers one lost SYN, which is sent again after 1 s (RFC 6298, section 2.1), and a TLS handshake. */
const CONNECT_TIMEOUT_MS = 3_000;
/** One delivery with its response: the largest envelope, 20 MiB, over a line of 6 Mbit/s. */
const DELIVERY_TIMEOUT_MS = 30_000;
/** A DSN that its upstream rejects (401, 403, 404 five times in a row) is tried again this often, until it is fixed. */
const PAUSE_PROBE_MS = 5 * 60_000;
/** A transaction for each event would cost five times as much; nobody sees so short a delay. */
const STORE_GATHER_MS = 10;
/** What is refused in a burst is lost; what is digested after it is not. */
const STORE_REST_RATIO = 9;
/** Of the key, to tell apart two keys of one project; keys are not secret, but long. */
const KEY_LENGTH = 8;

/** The way to one upstream, of the settings. @param scrub where upstreams get scrubbed copies. */
export function upstreamDispatcher(
  config: Config,
  release: string,
  { dsn, project }: AllowedProject,
  keep: LimitKeep,
  scrub: ScrubThread | null,
): DispatcherOptions & { readonly upstream: Upstream } {
  const options = {
    dsn,
    project,
    client: `errata/${release}`,
    connections: config.upstreamConnections,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    headersTimeoutMs: config.upstreamHeadersTimeoutMs,
    timeoutMs: DELIVERY_TIMEOUT_MS,
  };
  const upstream = new Upstream(options, keep);
  return {
    ...healthOf(config),
    upstream,
    name: `upstream ${dsn.host}/${dsn.projectId} ${dsn.publicKey.slice(0, KEY_LENGTH)}`,
    sink: scrub === null ? upstream : new ScrubbedSink(upstream, scrub),
    bit: UPSTREAM_BIT,
    project,
    concurrency: config.upstreamConnections,
    maxUnsettled: config.upstreamConnections,
    gatherMs: 0,
    restRatio: 0,
    maxRate: config.relayMaxRate,
  };
}

/** The way into the store: all projects, as fast as it goes. */
export function storeDispatcher(config: Config, store: EventStore): DispatcherOptions {
  return {
    ...healthOf(config),
    name: 'store',
    sink: new StoreSink(store),
    bit: STORE_BIT,
    project: null,
    concurrency: BATCHES_AT_ONCE[config.databaseUrl === null ? 'sqlite' : 'postgres'],
    // The store knows what it has: what comes twice is written once.
    maxUnsettled: Infinity,
    gatherMs: STORE_GATHER_MS,
    restRatio: STORE_REST_RATIO,
    maxRate: Infinity,
  };
}

function healthOf(config: Config): Pick<DispatcherOptions, 'backoff' | 'outageAfterMs' | 'pauseProbeMs'> {
  return {
    backoff: { minMs: config.backoffMinMs, maxMs: config.backoffMaxMs },
    outageAfterMs: config.outageAfterMs,
    pauseProbeMs: PAUSE_PROBE_MS,
  };
}

/** How the sinks fare; a paused one is for the alarm: its errors wait for an operator. */
export function addRelayGauges(relay: Relay, metrics: Metrics): void {
  const read = (value: (state: DispatcherState) => number) => () =>
    Promise.resolve(
      Object.entries(relay.states()).map(([sink, state]) => ({ labels: { sink }, value: value(state) })),
    );
  metrics.gauge(
    'errata_relay_failing',
    '1 where a sink takes nothing now',
    ['sink'],
    read((state) => (state === 'flowing' ? 0 : 1)),
  );
  metrics.gauge(
    'errata_relay_paused',
    '1 where an upstream refuses the DSN, so that all waits for an operator',
    ['sink'],
    read((state) => (state === 'paused' ? 1 : 0)),
  );
}
