import { warmUp } from './backlog.ts';
import { type Bench, connectionsOf, measure, okOf, record, withServer } from './bench.ts';
import { readLedger } from './ledger.ts';
import type { Load } from './load.ts';
import type { PayloadName } from './payloads.ts';
import type { RunningServer } from './running-server.ts';

/** How long the spool is filled at once. */
const FILL_SECONDS = 2;

/**
 * What intake costs with an empty spool, and with a deep one, in the same process: after a warm-up whose envelopes are
 * gone again, the upstream refuses and intake is measured; the spool is filled, and intake is measured again.
 */
export async function measureDepth(bench: Bench, payload: PayloadName): Promise<void> {
  const { options, servers, upstream } = bench;
  for (const kind of servers.filter(({ promised }) => promised === 'durable')) {
    for (let round = 1; round <= options.rounds; round += 1) {
      bench.print(`intake by depth of ${payload}s, round ${round}`);
      await upstream.become('takes');
      await withServer(bench, kind, (server) => oneRound(bench, server, payload));
    }
  }
}

async function oneRound(bench: Bench, server: RunningServer, payload: PayloadName): Promise<void> {
  const { options, upstream } = bench;
  const connections = connectionsOf(bench);
  const load = { payload, connections, rate: null };
  await warmUp(bench, server, load);
  await upstream.become('refuses');
  for (const depth of [0, options.depth]) {
    const queued = await fill(bench, server, load, depth);
    const measured = await measure(bench, server, { ...load, seconds: options.seconds });
    record(bench, { mode: 'depth', payload, connections, depth }, server.kind, {
      ...measured,
      perSecond: okOf(measured.load) / measured.load.seconds,
      deliveredPerSecond: null,
      memory: server.memory,
      note: `${queued} queued when it began`,
      isSound: true,
    });
  }
}

/** Sends until so many are queued, and returns how many are. @throws when the server takes no more. */
async function fill(
  bench: Bench,
  server: RunningServer,
  load: Omit<Load, 'seconds'>,
  depth: number,
): Promise<number> {
  let { queued } = await readLedger(server.managementPort);
  while (queued < depth) {
    const { load: sent } = await measure(bench, server, { ...load, seconds: FILL_SECONDS });
    if (okOf(sent) === 0) throw new Error(`the spool does not grow beyond ${queued} envelopes`);
    queued += okOf(sent);
  }
  return queued;
}
