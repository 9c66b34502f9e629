import type { Config } from '../config/config.ts';
import type { Clients } from '../net/client-address.ts';
import { RecentRejections } from '../outcome/recent-rejections.ts';
import { RejectedDsns } from '../outcome/rejected-dsns.ts';
import type { Relay } from '../relay/relay.ts';
import type { Spool } from '../spool/spool.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { unmovedWallMs } from '../time/monotonic-clock.ts';
import type { StartTimer } from '../time/time-source.ts';
import { type AllowedProject, AllowList } from '../tunnel/allow-list.ts';
import { backPressure } from '../tunnel/back-pressure.ts';
import { BodyMemory } from '../tunnel/body-memory.ts';
import { BodyPace } from '../tunnel/body-pace.ts';
import { BUFFER_HEAP, BufferCollector } from '../tunnel/buffer-collector.ts';
import { CorsPolicy } from '../tunnel/cors.ts';
import { type CommitTimeouts, Intake, type TimeCommit } from '../tunnel/intake.ts';
import { IpRateLimit } from '../tunnel/ip-rate-limit.ts';
import { RefusalPause } from '../tunnel/refusal-pause.ts';
import { SpoolShare } from '../tunnel/spool-share.ts';
import { Tunnel } from '../tunnel/tunnel.ts';
import { TunnelPaths } from '../tunnel/tunnel-paths.ts';
import { addMemoryGauge } from '../health/gauges.ts';

/** Limits of the tunnel that are no settings. */
export interface TunnelLimits extends CommitTimeouts {
  readonly compressedMaxBytes: number;
  readonly reportMaxBytes: number;
  readonly addressBurst: number;
  readonly bodyWaitMs: number;
  readonly waitingBodies: number;
  readonly largeBodies: number;
  readonly largeBodiesOfNetwork: number;
  /** Interval of the checks for slow bodies; by default the second in which {@link BodyPace} counts. */
  readonly bodySweepMs?: number;
  /** Monotonic clock of the rate limit, the commits and the refusals; that of the process by default. */
  readonly nowMs?: () => number;
  /** Timer of a refusal that waits; that of the process by default. */
  readonly startTimer?: StartTimer;
}

const TUNNEL_LIMITS: TunnelLimits = {
  /** An envelope that waits longer for its commit is answered 503; the client then sends it again. */
  commitTimeoutMs: 2_000,
  /**
   * A larger envelope waits longer: a 503 does not free its memory, which the commit needs, and to send a MiB again costs
   * more than to wait. Under 1,000 uploads on a busy machine commits took 4 to 16 s. Proxies give up after 60 s.
   */
  largeCommitTimeoutMs: 50_000,
  /** Half of ERRATA_ENVELOPE_MAX_BYTES' default: envelopes of text compress to far less than half. */
  compressedMaxBytes: 10 * 2 ** 20,
  /**
   * Chromium sends at most 100 browser reports in one batch, 1 to 2 KiB each. Batches, and what a person wrote about an
   * event, are the only bodies that are parsed completely before the response.
   */
  reportMaxBytes: 256 * 1024,
  /** A page that loads sends about ten envelopes, so 30 pages behind one address may load at once. */
  addressBurst: 300,
  /** Time for larger bodies to finish. Only a body over 64 KiB waits; it gets 503 afterwards. */
  bodyWaitMs: 10_000,
  /** A waiting body has up to 64 KiB in the buffer of its socket: 256 of them hold 16 MiB. */
  waitingBodies: 256,
  /** Bodies over 64 KiB read at once: each has 1.5 MiB of their part of ERRATA_BODY_MEMORY's default, 24 MiB. */
  largeBodies: 16,
  /** Half of them, so that one network never keeps all others waiting. */
  largeBodiesOfNetwork: 8,
};

export interface TunnelContext {
  readonly config: Config;
  readonly clients: Clients;
  readonly log: Pick<Log, 'warn'>;
  readonly metrics: Metrics;
  readonly relay: Pick<Relay, 'isFlowing'>;
  /** Whether the tunnel is part of another application; false by default. */
  readonly isHosted?: boolean;
  /** Counts the rejected requests of the last 24 hours, for the console. */
  readonly rejections?: RecentRejections;
  /** Counts the rejected DSNs by origin, for the console. */
  readonly rejectedDsns?: RejectedDsns;
}

/** Creates the tunnel and its guards. @param changes of the limits, for tests. */
export function openTunnel(
  { config, clients, log, metrics, relay, isHosted = false, ...counts }: TunnelContext,
  projects: readonly AllowedProject[],
  spool: Spool,
  changes: Partial<TunnelLimits> = {},
): Tunnel {
  const limits = { ...TUNNEL_LIMITS, ...changes };
  const { rejections = new RecentRejections(), rejectedDsns = new RejectedDsns() } = counts;
  const memory = memoryOf(config, limits);
  addMemoryGauge(metrics, memory);
  const guards = {
    paths: new TunnelPaths(config.tunnelPath, projects),
    cors: new CorsPolicy(config.tunnelOrigins, clients.isTrusted),
    ipRateLimit: new IpRateLimit({ perMinute: config.addressRate, burst: limits.addressBurst }, limits.nowMs),
    spoolShare: new SpoolShare(
      () => spool.fill,
      (project) => relay.isFlowing(project),
    ),
    memory,
    collector: new BufferCollector(memory.mostBytes, BUFFER_HEAP),
    refusalPause: new RefusalPause(limits.nowMs, limits.startTimer),
    pressure: pressureOf(spool),
  };
  const allowList = new AllowList(projects, log, limits.nowMs);
  const intake = new Intake(allowList, spool, limits, timerOf(metrics, limits.nowMs));
  return new Tunnel(intake, { metrics, rejections, rejectedDsns }, guards, {
    maxBytes: config.envelopeMaxBytes,
    compressedMaxBytes: limits.compressedMaxBytes,
    reportMaxBytes: limits.reportMaxBytes,
    pace: new BodyPace(limits.bodySweepMs),
    clientIp: config.clientIp,
    clients,
    isHosted,
  });
}

function memoryOf({ bodyMemoryBytes }: Config, limits: TunnelLimits): BodyMemory {
  return new BodyMemory({
    maxBytes: bodyMemoryBytes,
    maxLarge: limits.largeBodies,
    maxLargeOfNetwork: limits.largeBodiesOfNetwork,
    waitMs: limits.bodyWaitMs,
    maxWaiting: limits.waitingBodies,
  });
}

function timerOf({ commitSeconds }: Metrics, nowMs = () => performance.now()): TimeCommit {
  return () => {
    const startedAtMs = nowMs();
    return () => commitSeconds.observe((nowMs() - startedAtMs) / 1_000);
  };
}

/** Returns the categories that browsers should stop sending, by the fill of the spool and the upstream's rate limits. */
function pressureOf(spool: Spool): (project: AllowedProject | null) => string | null {
  return (project) =>
    backPressure({
      fill: spool.fill,
      upstreamLimits: project === null ? [] : spool.rateLimits.of(project.project),
      hasUpstream: project?.hasUpstream ?? true,
      nowMs: unmovedWallMs(),
    });
}
