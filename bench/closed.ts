import { isKept, waitForBacklog, warmUp } from './backlog.ts';
import { type Bench, connectionsOf, measure, okOf, record, withServer } from './bench.ts';
import type { PayloadName } from './payloads.ts';
import type { RunningServer } from './running-server.ts';
import type { ServerKind } from './servers.ts';

/** The spool's default size: what a load of minutes does depends on how full the spool becomes. */
const DEFAULT_SPOOL = { ERRATA_SPOOL_MAX_BYTES: '512MiB' };

/**
 * Measures a permanent overload: the upstream is up, and each connection sends again as soon as it is answered. Errata
 * is loaded for as long as a sustained rate; a pass-through has no queue that fills, so a short round shows its rate.
 */
export async function measureClosed(bench: Bench, payload: PayloadName): Promise<void> {
  await bench.upstream.become('takes');
  for (let round = 1; round <= bench.options.rounds; round += 1) {
    bench.print(`closed loop of ${payload}s, upstream up, round ${round}`);
    for (const kind of bench.servers) {
      await withServer(bench, kind, (server) => oneRound(bench, server, payload), DEFAULT_SPOOL);
    }
  }
}

async function oneRound(bench: Bench, server: RunningServer, payload: PayloadName): Promise<void> {
  const { options, upstream } = bench;
  const connections = connectionsOf(bench);
  const load = { payload, connections, rate: null };
  const isDurable = server.kind.promised === 'durable';
  const before = await warmUp(bench, server, load);
  const seconds = isDurable ? options.sustainedSeconds : options.seconds;
  const measured = await measure(bench, server, { ...load, seconds });
  const delivered = (await upstream.answered()) - before.delivered;
  const backlog = isDurable ? await waitForBacklog(upstream, server.managementPort, before) : null;
  record(bench, { mode: 'closed', payload, connections, depth: null }, server.kind, {
    ...measured,
    perSecond: okOf(measured.load) / measured.load.seconds,
    deliveredPerSecond: deliveredPerSecond(server.kind, delivered, measured.load.seconds),
    memory: server.memory,
    note: backlog === null ? null : `accepted ${backlog.accepted}, delivered ${backlog.delivered}`,
    isSound: backlog === null || isKept(backlog, okOf(measured.load)),
  });
}

function deliveredPerSecond({ promised }: ServerKind, delivered: number, seconds: number): number | null {
  return promised === 'nothing' ? null : delivered / seconds;
}
