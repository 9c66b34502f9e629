import { join } from 'node:path';
import type { ErrorReportingOptions } from './parts/options.ts';
import { ErrorPages } from './errors/error-pages.ts';
import { ErrorResponse } from './errors/error-response.ts';
import { FailureRecorder } from './errors/failure-recorder.ts';
import { DEFAULT_CLIENT_DIR } from './parts/paths.ts';
import { ConsoleUpkeep, type KeptFor } from './maintenance/console-maintenance.ts';
import { Eraser } from './console/erasure/eraser.ts';
import type { Config } from './config/config.ts';
import { projectsOf } from './parts/projects.ts';
import { addRelayGauges, storeDispatcher, upstreamDispatcher } from './parts/sinks.ts';
import { checkWebhook, openWebhook } from './parts/open-webhook.ts';
import { openSpool } from './parts/open-spool.ts';
import { RecentRejections } from './outcome/recent-rejections.ts';
import { Relay } from './relay/relay.ts';
import { ScrubThread } from './relay/scrub-thread.ts';
import type { Upstream } from './relay/upstream.ts';
import { Reporter } from './reporting/reporter.ts';
import type { Spool } from './spool/spool.ts';
import { SpoolUpkeep } from './maintenance/spool-maintenance.ts';
import { UPSTREAM_BIT } from './sink/queued-envelope.ts';
import { addSpoolGauges, strandedIn } from './parts/gauges.ts';
import type { EventStore } from './store/event-store.ts';
import type { RetentionLimits } from './store/retention/retention.ts';
import { RetentionSchedule } from './maintenance/store-maintenance.ts';
import { SourceMapSchedule } from './maintenance/source-map-schedule.ts';
import { StoreThread } from './store/store-thread.ts';
import type { WebhookSender } from './webhook/webhook-sender.ts';
import type { AllowedProject } from './tunnel/allow-list.ts';
import { openTunnel } from './parts/open-tunnel.ts';
import type { Tunnel } from './tunnel/tunnel.ts';

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
  readonly failures: FailureRecorder;
  readonly failureAnswer: ErrorResponse;
  readonly tunnel: Tunnel;
  readonly refusals = new RecentRejections();
  readonly erasing: Eraser;
  readonly #upstreams: readonly Upstream[];
  readonly #scrub: ScrubThread | null;
  readonly #upkeep: SpoolUpkeep;
  readonly #retention: RetentionSchedule;
  readonly #sourceMaps: SourceMapSchedule;
  readonly #webhook: WebhookSender | null;
  readonly #consoleUpkeep: ConsoleUpkeep;
  /** Projects with an upstream. */
  readonly #forwarded: ReadonlySet<string>;

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
    const forwarded = projects.filter(({ hasUpstream }) => hasUpstream);
    this.#scrub = config.scrub === 'all' ? new ScrubThread() : null;
    const upstreams = forwarded.map((project) =>
      upstreamDispatcher(config, release, project, spool, this.#scrub),
    );
    this.#upstreams = upstreams.map(({ upstream }) => upstream);
    this.relay = new Relay([...upstreams, storeDispatcher(config, store)], { spool, log, metrics });
    addRelayGauges(this.relay, metrics);
    this.#forwarded = new Set(forwarded.map(({ project }) => project));
    addSpoolGauges(spool, metrics, this.#forwarded);
    this.#upkeep = new SpoolUpkeep(
      spool,
      { everyMs: config.clientReportMs, reportable: () => this.relay.flowing(UPSTREAM_BIT) },
      (err) => log.error({ err }, 'spool_upkeep_failed'),
    );
    this.reporter = new Reporter(spool, { ...own, release, environment: config.environment }, log);
    this.failures = new FailureRecorder(this.reporter, log, metrics, {
      root: options.applicationRoot,
      digestVersion: config.digestVersion,
    });
    this.failureAnswer = new ErrorResponse(ErrorPages.read([options.clientDir, DEFAULT_CLIENT_DIR]));
    this.tunnel = openTunnel(options, projects, spool, this.refusals);
    this.erasing = new Eraser(store, spool, this.relay);
    this.#consoleUpkeep = new ConsoleUpkeep(store, this.erasing, keptFor(config), log);
    this.#retention = new RetentionSchedule(store, log, limitsOf(config));
    this.#sourceMaps = new SourceMapSchedule(store, log, { release, maxBytes: config.sourceMapsMaxBytes });
    this.#webhook = openWebhook(config, store, release, { log, metrics });
  }

  /**
   * Opens spool and store.
   *
   * @throws when the data directory cannot be written or another process has it, or the store cannot be opened.
   */
  static async open(options: ErrorReportingOptions): Promise<ErrorReporting> {
    const { config } = options;
    checkWebhook(config);
    const spool = await openSpool(options);
    const store = openStore(options, spool.identity);
    return new ErrorReporting(options, spool, store, await projectsOf(config, store));
  }

  start(): void {
    this.relay.start();
    this.#upkeep.start();
    this.#retention.start();
    this.#sourceMaps.start();
    this.#webhook?.start();
    this.#consoleUpkeep.start();
    void this.#warnOfStranded();
  }

  async #warnOfStranded(): Promise<void> {
    const { log } = this.options;
    const counts = await this.spool
      .ask('counts', null)
      .catch((err: unknown) => log.error({ err }, 'count_failed'));
    if (counts === undefined) return;
    for (const { project, envelopes } of strandedIn(counts, this.#forwarded)) {
      const { host, pathname } = new URL(project);
      log.warn({ upstream: host + pathname, envelopes }, 'upstream_not_in_settings');
    }
  }

  /** Ends deliveries, commits what waits, gives the files back. */
  async close(): Promise<void> {
    await this.reporter.flush();
    this.#upkeep.stop();
    this.#retention.stop();
    this.#sourceMaps.stop();
    await this.#webhook?.stop();
    this.#consoleUpkeep.stop();
    await this.relay.stop(this.options.config.drainTimeoutMs);
    await Promise.all(this.#upstreams.map((upstream) => upstream.close()));
    await this.#scrub?.close();
    await this.spool.close();
    await this.store.close();
  }
}

function limitsOf({ retentionDays, storeMaxBytes }: Config): RetentionLimits {
  return { maxAgeMs: retentionDays * 86_400_000, maxBytes: storeMaxBytes };
}

function keptFor({ auditDays, sessionIdleMs, sessionMaxMs }: Config): KeptFor {
  return { auditMs: auditDays * 86_400_000, sessionIdleMs, sessionMaxMs };
}

function openStore(
  { config, clientDir, applicationRoot, release, log, metrics }: ErrorReportingOptions,
  spool: number,
): EventStore {
  return new StoreThread(
    {
      databaseUrl: config.databaseUrl,
      file: join(config.dataDir, 'store.db'),
      maxFileBytes: config.storeMaxBytes * STORE_FILE_FACTOR,
      clientDirs: [clientDir, DEFAULT_CLIENT_DIR],
      applicationRoot,
      release,
      digestVersion: config.digestVersion,
      webhook: config.webhookUrl === null ? undefined : { publicUrl: config.publicUrl },
      spool,
    },
    {
      onFault: (err) => {
        metrics.storeFaults.inc();
        log.error({ err }, 'store_fault');
      },
    },
  );
}
