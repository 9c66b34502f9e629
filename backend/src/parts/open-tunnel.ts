import type { ErrorReportingOptions } from './options.ts';
import { RecentRejections } from '../outcome/recent-rejections.ts';
import type { Spool } from '../spool/spool.ts';
import { unmovedWallMs } from '../time/monotonic-clock.ts';
import { IpRateLimit } from '../tunnel/ip-rate-limit.ts';
import { type AllowedProject, AllowList } from '../tunnel/allow-list.ts';
import { BodyMemory, BUFFER_HEAP, BufferCollector } from '../tunnel/body-memory.ts';
import { trustedHops } from '../net/client-address.ts';
import { backPressure } from '../tunnel/back-pressure.ts';
import { Intake } from '../tunnel/intake.ts';
import { CorsPolicy } from '../tunnel/cors.ts';
import { Tunnel } from '../tunnel/tunnel.ts';
import { TunnelPaths } from '../tunnel/tunnel-paths.ts';

/** The tunnel and its guards, of the settings. */
export function openTunnel(
  { config, metrics }: Pick<ErrorReportingOptions, 'config' | 'metrics'>,
  projects: readonly AllowedProject[],
  spool: Spool,
  rejections = new RecentRejections(),
): Tunnel {
  const isTrusted = trustedHops(config.trustProxy);
  const intake = new Intake(new AllowList(projects), spool, config.commitTimeoutMs);
  const memory = new BodyMemory({
    maxBytes: config.bodyMemoryBytes,
    maxLarge: config.largeBodies,
    waitMs: config.bodyMemoryWaitMs,
    maxWaiting: config.bodyQueue,
  });
  metrics.gauge(
    'errata_tunnel_memory',
    'Bodies under way: bytes reserved, and bodies over 1 MiB',
    ['of'],
    () =>
      Promise.resolve([
        { labels: { of: 'bytes' }, value: memory.usedBytes },
        { labels: { of: 'large' }, value: memory.large },
      ]),
  );
  const guards = {
    paths: new TunnelPaths(config.tunnelPath, projects),
    cors: new CorsPolicy(config.tunnelOrigins, isTrusted),
    ipRateLimit: new IpRateLimit({ perMinute: config.addressRate, burst: config.addressBurst }),
    memory,
    collector: new BufferCollector(memory.mostBytes, BUFFER_HEAP),
    pressure: pressureOf(spool),
  };
  return new Tunnel(intake, { metrics, rejections }, guards, {
    maxBytes: config.envelopeMaxBytes,
    compressedMaxBytes: config.compressedMaxBytes,
    reportMaxBytes: config.reportMaxBytes,
    clientIp: config.clientIp,
    isTrusted,
  });
}

/** What browsers are told to stop making, by how the spool fares and what the project's upstream said. */
function pressureOf(spool: Spool): (project: AllowedProject | null) => string | null {
  return (project) =>
    backPressure({
      fill: spool.fill,
      upstreamLimits: project === null ? [] : spool.limits.of(project.project),
      hasUpstream: project?.hasUpstream ?? true,
      nowMs: unmovedWallMs(),
    });
}
