import { Eraser } from './console/erasure/eraser.ts';
import type { BrowserSettings } from './contract/browser-settings.ts';
import { keyStart, projectName } from './contract/project-name.ts';
import { isInstance } from './digest/thrown-value.ts';
import { ErrorPages } from './errors/error-pages.ts';
import { openReporter } from './errors/error-reporter.ts';
import { ErrorResponse } from './errors/error-response.ts';
import { FailureRecorder } from './errors/failure-recorder.ts';
import { pageHelpOf } from './errors/page-help.ts';
import { PageLines } from './errors/page-lines.ts';
import { ClientCopy } from './maintenance/client-copy.ts';
import { AgeClock, storeAgeClock } from './maintenance/age-clock.ts';
import { maintainConsole } from './maintenance/console-maintenance.ts';
import { every, type Job } from './time/every.ts';
import { maintainSpool, SPOOL_SETTLING_MS } from './maintenance/spool-maintenance.ts';
import { addStoreGauge, maintainStore } from './maintenance/store-maintenance.ts';
import { DeliveryHistory } from './outcome/delivery-history.ts';
import { RecentRejections } from './outcome/recent-rejections.ts';
import { RejectedDsns } from './outcome/rejected-dsns.ts';
import { Clients } from './net/client-address.ts';
import { allowedProjects } from './open/allowed-projects.ts';
import { type Backlog, backlogOf, strandedIn } from './spool/backlog.ts';
import { addRelayGauges, addSpoolGauges } from './health/gauges.ts';
import { openHealthWatch } from './open/open-health.ts';
import { checkDataDir, openSpool, spoolLimits } from './open/open-spool.ts';
import { openStore, refuseUnusable, retentionOf, storeError, storeLimits } from './open/open-store.ts';
import { openTunnel } from './open/open-tunnel.ts';
import { dropRemoved, openAlerts } from './open/open-alerts.ts';
import type { ErrataOptions } from './open/options.ts';
import { DEFAULT_CLIENT_DIR, requireOwnFiles } from './config/paths.ts';
import { VolumeCaps } from './maintenance/volume.ts';
import { storeDispatcher, upstreamDispatcher } from './open/open-sinks.ts';
import { Relay } from './relay/relay.ts';
import { ScrubThread } from './relay/scrub-thread.ts';
import { OpenedParts } from './opened-parts.ts';
import { ServerReporter } from './reporting/server-reporter.ts';
import { UPSTREAM_BIT } from './sink/queued-envelope.ts';
import { SpoolUnavailable } from './spool/spool-thread.ts';
import type { Spool } from './spool/spool.ts';
import { type EventStore, StoreUnavailable } from './store/event-store.ts';
import type { AllowedProject } from './tunnel/allow-list.ts';
import type { Tunnel } from './tunnel/tunnel.ts';
import type { AlertSender } from './alerts/alert-sender.ts';
import { Deadline } from './time/deadline.ts';
import { DAY_MS } from './time/iso.ts';

/** Between two looks at the free space: a refusal ends soon after there is room again. */
const RAISE_CAPS_MS = 60_000;
/** Half a minute of the history, so that a slow count leaves none out. */
const READ_HISTORY_MS = 30_000;
/** Time after the deadline of a stop for the last commit of the spool, which begins a second after it at the latest. */
const LAST_COMMIT_MS = 1_250;

/** The files that are open before the other parts. */
interface OpenedFiles {
  readonly spool: Spool;
  readonly store: EventStore;
  readonly opened: OpenedParts;
}

type PartsState = 'opened' | 'started' | 'closed';

/**
 * All parts of the path of an error, opened and wired in order: tunnel -> spool -> relay -> upstream and store. It must
 * never close the spool while a part still accepts envelopes.
 *
 * States: opened -> started -> closed; opened -> closed, when the start of the servers fails. Parts close in the reverse
 * order, so that what the relay and the store have settled is still committed.
 */
export class Errata {
  readonly options: ErrataOptions;
  readonly projects: readonly [AllowedProject, ...AllowedProject[]];
  readonly spool: Spool;
  readonly store: EventStore;
  readonly relay: Relay;
  readonly reporter: ServerReporter;
  readonly pageLines: PageLines;
  readonly errorPages: ErrorPages;
  readonly failureRecorder: FailureRecorder;
  readonly errorResponse: ErrorResponse;
  readonly clients: Clients;
  readonly tunnel: Tunnel;
  readonly rejections = new RecentRejections();
  readonly rejectedDsns = new RejectedDsns();
  readonly history = new DeliveryHistory();
  readonly eraser: Eraser;
  readonly clientCopy: ClientCopy;
  readonly alerts: readonly AlertSender[];
  readonly #caps: VolumeCaps;
  readonly #opened: OpenedParts;
  /** Projects with an upstream. */
  readonly #forwarded: ReadonlySet<string>;
  #state: PartsState = 'opened';
  #deadline: Deadline | undefined;

  private constructor(
    options: ErrataOptions,
    caps: VolumeCaps,
    { spool, store, opened }: OpenedFiles,
    projects: readonly [AllowedProject, ...AllowedProject[]],
  ) {
    const { config, log, metrics, release, time, clientDir } = options;
    const [own] = projects;
    this.options = options;
    this.#caps = caps;
    this.#opened = opened;
    this.projects = projects;
    this.spool = spool;
    this.store = store;
    this.pageLines = new PageLines((key) => store.ask('pageLine', key, own.project));
    this.errorPages = ErrorPages.read([clientDir, DEFAULT_CLIENT_DIR], pageHelpOf(config, this.pageLines));
    this.errorResponse = new ErrorResponse(this.errorPages);
    const forwarded = projects.filter(({ hasUpstream }) => hasUpstream);
    this.reporter = new ServerReporter(spool, { ...own, release, environment: config.environment }, log);
    opened.add('reporter', () => this.reporter.close());
    const scrub = config.scrub === 'all' ? new ScrubThread(options.startScrub) : null;
    opened.add('scrub', () => scrub?.close());
    const upstreams = forwarded.map((project) => upstreamDispatcher(config, release, project, spool, scrub));
    opened.add('upstreams', () => Promise.all(upstreams.map(({ upstream }) => upstream.close())));
    this.relay = new Relay([...upstreams, storeDispatcher(config, store)], { spool, log, metrics, time });
    opened.add('relay', ({ leftMs }) => this.relay.stop(leftMs));
    addRelayGauges(this.relay, metrics);
    this.#forwarded = new Set(forwarded.map(({ project }) => project));
    addSpoolGauges(spool, metrics, this.#forwarded);
    addStoreGauge(store, metrics);
    this.failureRecorder = new FailureRecorder(this.reporter, log, metrics, options.applicationRoot);
    this.clients = new Clients(config, log);
    const { clients, relay, rejections, rejectedDsns } = this;
    this.tunnel = openTunnel({ ...options, clients, relay, rejections, rejectedDsns }, projects, spool);
    this.eraser = new Eraser(store, spool, this.relay);
    this.clientCopy = new ClientCopy(store, () => ({ release, maxBytes: caps.current.sourceMaps }), log);
    this.alerts = openAlerts(options, store);
    opened.add('alerts', () => Promise.all(this.alerts.map((sender) => sender.stop())));
    if (options.isHosted === true) opened.add('report', openReporter(this.failureRecorder));
  }

  /**
   * Opens spool and store. After a failure both are closed.
   *
   * @throws SettingError when the data directory is not writable or another process uses it, when the store cannot open, or
   * when a newer version has migrated it.
   */
  static async open(options: ErrataOptions): Promise<Errata> {
    const { config, log } = options;
    requireOwnFiles();
    checkDataDir(config);
    const caps = new VolumeCaps(options);
    const opened = new OpenedParts(log);
    try {
      const spool = await openSpool(options, caps);
      opened.add('spool', (deadline) => spool.close(deadline.plus(LAST_COMMIT_MS).leftMs));
      const store = openStore(options, caps, spool.identity);
      opened.add('store', () => store.close());
      const projects = await refuseUnusable(store, config)
        .then(() => allowedProjects(config, store, log))
        .catch((error: unknown) => {
          throw storeError(config, error);
        });
      return new Errata(options, caps, { spool, store, opened }, projects);
    } catch (error) {
      await opened.close(new Deadline(0));
      throw error;
    }
  }

  /** Settings of the client, for the `<meta>` of its page. */
  get browserSettings(): BrowserSettings {
    const { config, release } = this.options;
    const { basePath, environment, demo, errorPage, supportUrl } = config;
    const [own] = this.projects;
    const tunnel = basePath + config.tunnelPath;
    const help = errorPage === 'plain' ? undefined : { supportUrl: supportUrl ?? undefined };
    return { dsn: own.project, basePath, tunnel, release, environment, demo, help };
  }

  /** Counts the envelopes that wait for their sinks. */
  async backlog(): Promise<Backlog> {
    return backlogOf(await this.spool.ask('counts'), this.#forwarded);
  }

  /** Returns whether an exception comes from a spool or store that is unavailable for a short time. */
  static isUnavailable(this: void, thrown: unknown): boolean {
    return isInstance(thrown, StoreUnavailable) || isInstance(thrown, SpoolUnavailable);
  }

  /**
   * Starts deliveries and periodic jobs.
   *
   * @param spoolSettlingMs uptime before envelopes of an earlier boot expire. @throws Error unless this was opened and never
   * started.
   */
  start({ spoolSettlingMs = SPOOL_SETTLING_MS }: { readonly spoolSettlingMs?: number } = {}): void {
    if (this.#state !== 'opened') throw new Error(`cannot start what is ${this.#state}`);
    this.#state = 'started';
    this.relay.start();
    for (const sender of this.alerts) sender.start();
    const watch = openHealthWatch(this.options, this, this.alerts).start();
    const jobs = [...this.#maintain(spoolSettlingMs), dropRemoved(this.store, this.options), watch];
    this.#opened.add('jobs', () => jobs.forEach((job) => job.stop()));
    // A server delivers the rest after its next start; a script may never start again.
    if (this.options.isWithoutHttp === true)
      this.#opened.add('deliveries', (deadline) => deadline.wait(this.#deliverQueued()));
    void this.#warnOfStranded();
  }

  /** Delivers all queued envelopes, unless their sink fails, with the last reports. */
  async #deliverQueued(): Promise<void> {
    await this.reporter.flush();
    await this.relay.caughtUp();
  }

  #maintain(spoolSettlingMs: number): readonly Job[] {
    const { config, log } = this.options;
    const reports = { everyMs: config.clientReportMs, projects: () => this.relay.reachable(UPSTREAM_BIT) };
    const limits = () => retentionOf(config, this.#caps.current);
    const ages = { ...config, auditMs: config.auditDays * DAY_MS };
    const ageNow = storeAgeClock(() => this.store.ask('agesMeasuredMs'));
    return [
      ...maintainSpool(this.spool, reports, log, new AgeClock(spoolSettlingMs)),
      ...maintainStore(this.store, limits, log, ageNow),
      ...this.clientCopy.start(),
      ...maintainConsole(this.store, this.eraser, ages, log, ageNow),
      every(
        { everyMs: READ_HISTORY_MS, isAtOnce: true },
        async () => {
          const { ledger, queued } = await this.spool.ask('recentCounts');
          this.history.add(ledger, queued);
        },
        (err) => log.error({ err }, 'count_failed'),
      ),
      every(
        { everyMs: RAISE_CAPS_MS },
        () => this.#raiseCaps(),
        (err) => log.error({ err }, 'caps_not_raised'),
      ),
    ];
  }

  /** Gives spool and store the room that other files on the volume have left. */
  async #raiseCaps(): Promise<void> {
    if (!this.#caps.raise()) return;
    const { config } = this.options;
    const { current } = this.#caps;
    await Promise.all([
      this.spool.ask('limit', spoolLimits(config, current)),
      this.store.limit(storeLimits(config, current)),
    ]);
  }

  async #warnOfStranded(): Promise<void> {
    const { log } = this.options;
    const counts = await this.spool
      .ask('recentCounts')
      .catch((err: unknown) => log.error({ err }, 'count_failed'));
    if (counts === undefined) return;
    for (const { project, envelopes } of strandedIn(counts, this.#forwarded)) {
      log.warn(
        { upstream: projectName(project), key: keyStart(project), envelopes },
        'upstream_not_in_settings',
      );
    }
  }

  /**
   * Returns the deadline of the stop, which the first call computes: all steps of the stop share it.
   *
   * @param delayMs before the end of requests and deliveries begins.
   */
  stopDeadline(delayMs = 0): Deadline {
    return (this.#deadline ??= new Deadline(delayMs + this.options.config.drainTimeoutMs));
  }

  /** Ends deliveries, and commits those in flight, for counts after the end; within the deadline of the stop. */
  async stopDeliveries(): Promise<void> {
    const deadline = this.stopDeadline();
    await this.relay.stop(deadline.leftMs);
    // On a disk that fails, commits are tried again without an end.
    await deadline.wait(this.spool.flush());
  }

  /**
   * Ends deliveries within the deadline of the stop, commits pending writes and closes the files
   * ({@link OpenedParts}). A part that cannot be closed is logged. A second call does nothing.
   */
  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    await this.#opened.close(this.stopDeadline());
  }
}
