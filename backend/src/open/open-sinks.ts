import type { Config } from '../config/config.ts';
import { keyStart, projectName } from '../contract/project-name.ts';
import type { DispatcherOptions } from '../relay/dispatcher-options.ts';
import type { ScrubThread } from '../relay/scrub-thread.ts';
import { ScrubbedSink } from '../relay/scrubbed-sink.ts';
import { type RateLimitStore, Upstream } from '../relay/upstream.ts';
import { STORE_BIT, UPSTREAM_BIT } from '../sink/queued-envelope.ts';
import type { EventStore } from '../store/event-store.ts';
import { BATCHES_AT_ONCE, StoreSink } from '../store/store-sink.ts';
import type { AllowedProject } from '../tunnel/allow-list.ts';

/** Covers one lost SYN, which is sent again after 1 s (RFC 6298, section 2.1), and a TLS handshake. */
const CONNECT_TIMEOUT_MS = 3_000;
/** One delivery with its response: the largest envelope, 20 MiB, over a line of 6 Mbit/s. */
const DELIVERY_TIMEOUT_MS = 30_000;
/** A DSN that its upstream rejects (401, 403, 404 five times in a row) is tried again this often, until it is fixed. */
const PAUSE_PROBE_MS = 5 * 60_000;
/** A transaction and its settlements cost as much as ten events; a user does not notice the delay (decision 006). */
const STORE_BATCH_INTERVAL_MS = 40;

/** Returns the dispatcher of an upstream. @param scrub removes secrets from forwarded copies, or null. */
export function upstreamDispatcher(
  config: Config,
  release: string,
  { dsn, project }: AllowedProject,
  keep: RateLimitStore,
  scrub: ScrubThread | null,
): DispatcherOptions & { readonly upstream: Upstream } {
  const circuit = circuitOf(config);
  const options = {
    dsn,
    project,
    client: `errata/${release}`,
    connections: config.upstreamConnections,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    headersTimeoutMs: config.upstreamHeadersTimeoutMs,
    timeoutMs: DELIVERY_TIMEOUT_MS,
    backoff: circuit.backoff,
    proxy: config,
  };
  const upstream = new Upstream(options, keep);
  const place = projectName(project);
  const key = keyStart(project);
  return {
    ...circuit,
    upstream,
    name: `upstream ${place} ${key}`,
    place,
    key,
    sink: scrub === null ? upstream : new ScrubbedSink(upstream, scrub),
    bit: UPSTREAM_BIT,
    project,
    concurrency: config.upstreamConnections,
    isAdaptive: true,
    batchIntervalMs: 0,
    maxRate: config.relayMaxRate,
  };
}

/** Returns the dispatcher of the local store, for all projects and without a limit of the rate. */
export function storeDispatcher(config: Config, store: EventStore): DispatcherOptions {
  return {
    ...circuitOf(config),
    name: 'store',
    place: null,
    key: null,
    sink: new StoreSink(store),
    bit: STORE_BIT,
    project: null,
    concurrency: BATCHES_AT_ONCE[config.databaseUrl === null ? 'sqlite' : 'postgres'],
    isAdaptive: false,
    batchIntervalMs: STORE_BATCH_INTERVAL_MS,
    maxRate: Infinity,
  };
}

function circuitOf(config: Config): Pick<DispatcherOptions, 'backoff' | 'outageAfterMs' | 'pauseProbeMs'> {
  return {
    backoff: { minMs: config.backoffMinMs, maxMs: config.backoffMaxMs },
    outageAfterMs: config.outageAfterMs,
    pauseProbeMs: PAUSE_PROBE_MS,
  };
}
