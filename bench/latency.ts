import { isKept, waitForBacklog, warmUp } from './backlog.ts';
import { type Bench, measure, okOf, record, withServer } from './bench.ts';
import type { PayloadName } from './payloads.ts';
import type { RunningServer } from './running-server.ts';

/** Offered per second, where `RATE` says nothing else. */
const RATE = 4_000;
/** A pass-through needs a connection of its client for each request under way: 4,000/s at 100 ms are 400. */
const CONNECTIONS = 512;
/** The pass-through's connections to the upstream are not its limit either. */
const WIDE_POOL = { UPSTREAM_CONNECTIONS: String(CONNECTIONS) };

/** Measures how many envelopes reach an upstream that answers after 100 ms, until the last one of a load has. */
export async function measureLatency(bench: Bench, payload: PayloadName): Promise<void> {
  for (let round = 1; round <= bench.options.rounds; round += 1) {
    bench.print(`upstream of 100 ms with ${payload}s, round ${round}`);
    for (const kind of bench.servers.filter(({ promised }) => promised !== 'nothing')) {
      await withServer(bench, kind, (server) => oneRound(bench, server, payload), WIDE_POOL);
    }
  }
}

async function oneRound(bench: Bench, server: RunningServer, payload: PayloadName): Promise<void> {
  const { options, upstream } = bench;
  const load = { payload, connections: CONNECTIONS, rate: options.rate ?? RATE };
  const isDurable = server.kind.promised === 'durable';
  await upstream.become('delays');
  const before = await warmUp(bench, server, load);
  const measured = await measure(bench, server, { ...load, seconds: options.trialSeconds });
  const answered = okOf(measured.load);
  const backlog = isDurable ? await waitForBacklog(upstream, server.managementPort, before) : null;
  const delivered = (await upstream.answered()) - before.delivered;
  const seconds = measured.load.seconds + (backlog?.upstreamSeconds ?? 0);
  record(bench, { mode: 'latency', payload, connections: CONNECTIONS, depth: null }, server.kind, {
    ...measured,
    perSecond: answered / measured.load.seconds,
    deliveredPerSecond: delivered / seconds,
    memory: server.memory,
    note: `delivered ${delivered} in ${seconds.toFixed(1)} s`,
    isSound: backlog === null ? delivered >= answered : isKept(backlog, answered),
  });
}
