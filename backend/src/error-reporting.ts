import { join } from 'node:path';
import type { ErrorReportingOptions } from './error-reporting.options.ts';
import { ErrorPages } from './errors/error-pages.ts';
import { FailureAnswer } from './errors/failure-answer.ts';
import { Failures } from './errors/failures.ts';
import { balanceOf } from './outcome/balance.ts';
import { projectsOf } from './projects.ts';
import type { LaneOptions } from './relay/lane.ts';
import { Pace } from './relay/pace.ts';
import { Relay } from './relay/relay.ts';
import { Upstream } from './relay/upstream.ts';
import { Reporter } from './reporting/reporter.ts';
import { Spool } from './spool/spool.ts';
import { STORE_BIT, UPSTREAM_BIT } from './spool/spooled-envelope.ts';
import type { EventStore } from './store/event-store.ts';
import { RetentionSchedule } from './store/retention-schedule.ts';
import { StoreSink } from './store/store-sink.ts';
import { StoreThread } from './store/store-thread.ts';
import { type AllowedProject, AllowList } from './tunnel/allow-list.ts';
import { Intake } from './tunnel/intake.ts';
import { trustedHops } from './tunnel/sender.ts';
import { Tunnel } from './tunnel/tunnel.ts';

/** Retention counts the events; indexes, counters and free pages come on top. Beyond this the file takes no more. */
const STORE_FILE_FACTOR = 2;

/**
 * All parts of the path of an error, put together and in order: tunnel -> spool -> relay -> upstream and store.
 *
 * States: opened -> started -> closed. What it holds open is given back in the order in which envelopes flow, so
 * that nothing is accepted any more when the spool closes.
 */
export class ErrorReporting {
  readonly options: ErrorReportingOptions;
  readonly projects: readonly [AllowedProject, ...AllowedProject[]];
  readonly spool: Spool;
  readonly store: EventStore;
  readonly relay: Relay;
  readonly reporter: Reporter;
  readonly failures: Failures;
  readonly failureAnswer: FailureAnswer;
  readonly tunnel: Tunnel;
  readonly #upstreams: readonly Upstream[];
  readonly #retention: RetentionSchedule;

  private constructor(
    options: ErrorReportingOptions,
    spool: Spool,
    store: EventStore,
    projects: readonly [AllowedProject, ...AllowedProject[]],
  ) {
    const { config, log, metrics, release } = options;
    const [own] = projects;
    this.options = options;
    this.projects = projects;
    this.spool = spool;
    this.store = store;
    const upstreams = projects
      .filter(({ hasUpstream }) => hasUpstream)
      .map((project) => upstreamLane(options, project));
    this.#upstreams = upstreams.map(({ sink }) => sink);
    this.relay = new Relay([...upstreams, storeLane(options, store)], {
      spool,
      pace: new Pace(() => spool.waiting),
      log,
      metrics,
    });
    this.reporter = new Reporter(spool, { ...own, release, environment: config.environment }, log);
    this.failures = new Failures(this.reporter, log, metrics, options.applicationRoot);
    this.failureAnswer = new FailureAnswer(ErrorPages.read(options.clientDir));
    const intake = new Intake(new AllowList(projects), spool, config.commitTimeoutMs);
    this.tunnel = new Tunnel(intake, metrics, {
      isTrusted: trustedHops(config.trustProxy),
      maxBytes: config.envelopeMaxBytes,
      clientIp: config.clientIp,
    });
    this.#retention = new RetentionSchedule(store, log, {
      maxAgeMs: config.retentionDays * 86_400_000,
      maxBytes: config.storeMaxBytes,
    });
  }

  /**
   * Opens spool and store.
   *
   * @throws when the data directory cannot be written or another process has it, or the store cannot be opened.
   */
  static async open(options: ErrorReportingOptions): Promise<ErrorReporting> {
    const { config, log, metrics } = options;
    const limits = { maxBytes: config.spoolMaxBytes };
    const spool = await Spool.open(
      { directory: config.dataDir, limits },
      {
        onLost: (envelopes) => {
          metrics.spoolEvents.inc({ fault: 'lost' }, envelopes);
          log.fatal({ envelopes }, 'spool_lost_envelopes');
        },
        onRotten: (ids) => {
          metrics.spoolEvents.inc({ fault: 'rotten' }, ids.length);
          log.error({ ids }, 'spool_rotten_envelopes');
        },
        onThreadDeath: (err) => {
          metrics.spoolEvents.inc({ fault: 'thread_death' });
          log.error({ err }, 'spool_thread_died');
        },
      },
    );
    const store = openStore(options);
    metrics.gauge(
      'errata_spool_envelopes',
      'The ledger: accepted, held, each fate, and missing (0)',
      'fate',
      async () => {
        const { held, ledger } = await spool.counts();
        return { ...balanceOf(ledger, held) };
      },
    );
    return new ErrorReporting(options, spool, store, await projectsOf(config, store));
  }

  start(): void {
    this.relay.start();
    this.#retention.start();
  }

  /** Ends deliveries, commits what waits, gives the files back. */
  async close(): Promise<void> {
    await this.reporter.flush();
    this.#retention.stop();
    await this.relay.stop();
    await Promise.all(this.#upstreams.map((upstream) => upstream.close()));
    await this.spool.close();
    await this.store.close();
  }
}

function upstreamLane(
  { config, release }: ErrorReportingOptions,
  { dsn, project }: AllowedProject,
): LaneOptions & { readonly sink: Upstream } {
  const sink = new Upstream({
    dsn,
    client: `errata/${release}`,
    connections: config.upstreamConnections,
    connectTimeoutMs: config.upstreamConnectTimeoutMs,
    headersTimeoutMs: config.upstreamHeadersTimeoutMs,
    timeoutMs: config.upstreamTimeoutMs,
  });
  const concurrency = config.upstreamConnections;
  return {
    ...lane(config),
    name: `upstream ${dsn.host}/${dsn.projectId}`,
    sink,
    bit: UPSTREAM_BIT,
    project,
    concurrency,
  };
}

function storeLane({ config }: ErrorReportingOptions, store: EventStore): LaneOptions {
  return {
    ...lane(config),
    name: 'store',
    sink: new StoreSink(store),
    bit: STORE_BIT,
    project: null,
    concurrency: 1,
  };
}

function lane(config: ErrorReportingOptions['config']): Pick<LaneOptions, 'maxAgeMs' | 'backoff'> {
  return {
    maxAgeMs: config.spoolMaxAgeMs,
    backoff: { minMs: config.backoffMinMs, maxMs: config.backoffMaxMs },
  };
}

function openStore({ config, clientDir, applicationRoot, log, metrics }: ErrorReportingOptions): EventStore {
  return new StoreThread(
    {
      databaseUrl: config.databaseUrl,
      file: join(config.dataDir, 'store.db'),
      maxFileBytes: config.storeMaxBytes * STORE_FILE_FACTOR,
      clientDir,
      applicationRoot,
    },
    {
      onFault: (err) => {
        metrics.storeFaults.inc();
        log.error({ err }, 'store_fault');
      },
    },
  );
}
