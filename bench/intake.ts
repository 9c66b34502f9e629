import { type Backlog, type Before, isKept, waitForBacklog } from './backlog.ts';
import { type Bench, measure, type Measured, okOf, record, withServer } from './bench.ts';
import type { PayloadName } from './payloads.ts';
import type { RunningServer } from './running-server.ts';
import type { ServerKind } from './servers.ts';

/**
 * What a server takes in while its upstream refuses everything. Errata's sinks yield; afterwards the upstream takes,
 * and everything accepted has to get there. What passes through passes the refusal on: each of its answers counts.
 */
export async function measureIntake(bench: Bench, payload: PayloadName): Promise<void> {
  for (let round = 1; round <= bench.options.rounds; round += 1) {
    bench.print(`intake of ${payload}s, round ${round}`);
    for (const kind of bench.servers) await oneRound(bench, kind, payload);
  }
}

async function oneRound(bench: Bench, kind: ServerKind, payload: PayloadName): Promise<void> {
  const { connections, seconds, warmUpSeconds } = bench.options;
  await bench.upstream.become('refuses');
  await withServer(bench, kind, async (server) => {
    const most = Math.max(...connections);
    const load = { payload, rate: null };
    const warmUp = await measure(bench, server, { ...load, connections: most, seconds: warmUpSeconds });
    let accepted = 0;
    const seeThrough = async ({ load: answered }: Measured): Promise<Kept | null> => {
      if (kind.promised !== 'durable') return null;
      const backlog = await catchUp(bench, server, { accepted });
      accepted += backlog.accepted;
      return noteOf(backlog, okOf(answered));
    };
    // Its envelopes leave a file behind that has grown once, as a spool's has in any outage but the first.
    const warm = await seeThrough(warmUp);
    for (const count of connections) {
      const measured = await measure(bench, server, { ...load, connections: count, seconds });
      const kept = await seeThrough(measured);
      const isSound = kept === null || (kept.isSound && warm?.isSound === true);
      keep(
        bench,
        server,
        { payload, connections: count },
        measured,
        kept === null ? null : { ...kept, isSound },
      );
    }
  });
}

interface Kept {
  readonly note: string;
  readonly isSound: boolean;
}

function keep(
  bench: Bench,
  server: RunningServer,
  part: { readonly payload: PayloadName; readonly connections: number },
  { load, usage }: Measured,
  kept: Kept | null,
): void {
  const { kind, memory } = server;
  const answered = kind.promised === 'upstream' ? load.requests : okOf(load);
  const sample = { perSecond: answered / load.seconds, deliveredPerSecond: null, load, usage, memory };
  record(bench, { mode: 'intake', depth: null, ...part }, kind, {
    ...sample,
    note: kept?.note ?? null,
    isSound: kept?.isSound ?? true,
  });
}

async function catchUp(
  { upstream }: Bench,
  server: RunningServer,
  { accepted }: { readonly accepted: number },
): Promise<Backlog> {
  const before: Before = { accepted, delivered: 0 };
  await upstream.become('takes');
  const backlog = await waitForBacklog(upstream, server.managementPort, before);
  await upstream.become('refuses');
  return backlog;
}

function noteOf(backlog: Backlog, answered: number): Kept {
  const { accepted, delivered, upstreamSeconds, allSeconds } = backlog;
  const store =
    allSeconds === null ? 'the store was not done in 300 s' : `the store ${allSeconds.toFixed(1)} s`;
  return {
    note:
      `answered ${answered}, accepted ${accepted}, delivered ${delivered},` +
      ` the upstream had all ${upstreamSeconds.toFixed(1)} s after the load, ${store}`,
    isSound: isKept(backlog, answered),
  };
}
