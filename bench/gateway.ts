import { setTimeout as delay } from 'node:timers/promises';
import { type Bench, measure, type Measured, okOf, record, withServer } from './bench.ts';
import { freePort } from './child.ts';
import { type PageCounts, readLedger, readPages } from './ledger.ts';
import type { Load } from './load.ts';
import type { PageName, PayloadName } from './payloads.ts';
import type { RunningServer } from './running-server.ts';

/** Connections of a gateway, and those of the tunnel beside it. */
const CONNECTIONS = 32;
/** How often the ledger is read until nothing is queued. */
const LOOK_MS = 500;
/** Pages meanwhile that the intake has a target beside. */
export const BESIDE_RATED = '1,000 pages/s';
const BESIDE: readonly { readonly beside?: string; readonly rate: number | null }[] = [
  { rate: null },
  { beside: BESIDE_RATED, rate: 1_000 },
  { beside: `pages on ${CONNECTIONS} connections without a pause`, rate: null },
];

/**
 * Measures pages for a gateway: those of 100 dead services, each recorded, as the first 2,000 of a service are; those of one,
 * above the limit, with the digest alone; and what the tunnel accepts without pages and beside these.
 */
export async function measureGateway(bench: Bench, payload: PayloadName): Promise<void> {
  const { options, servers, upstream } = bench;
  for (const kind of servers.filter(({ promised }) => promised === 'durable')) {
    for (let round = 1; round <= options.rounds; round += 1) {
      bench.print(`pages of a gateway and ${payload}s, round ${round}`);
      await upstream.become('refuses');
      const port = await freePort();
      const environment = { ERRATA_GATEWAY_PORT: String(port) };
      await withServer(bench, kind, (server) => oneRound(bench, server, port, payload), environment);
    }
  }
}

async function oneRound(
  bench: Bench,
  server: RunningServer,
  port: number,
  payload: PayloadName,
): Promise<void> {
  const { seconds, warmUpSeconds } = bench.options;
  const load = { connections: CONNECTIONS, rate: null };
  const pages = (name: PageName): Omit<Load, 'seconds'> => ({ ...load, payload: name, port });
  const tunnel = { ...load, payload };
  for (const each of [pages('recorded'), tunnel, pages('limited')]) {
    await measure(bench, server, { ...each, seconds: warmUpSeconds });
    await settle(bench, server);
  }
  for (const name of ['recorded', 'limited'] as const) {
    const before = await readPages(server.managementPort);
    const measured = await measure(bench, server, { ...pages(name), seconds });
    keepPages(bench, server, name, measured, before, await readPages(server.managementPort));
    await settle(bench, server);
  }
  for (const { rate, ...beside } of BESIDE) {
    const other = 'beside' in beside ? { beside: { ...pages('limited'), rate, seconds } } : {};
    const measured = await measure(bench, server, { ...tunnel, seconds }, other);
    const setting = { mode: 'gateway', payload, connections: CONNECTIONS, depth: null, ...beside } as const;
    record(bench, setting, server.kind, {
      ...measured,
      perSecond: okOf(measured.load) / measured.load.seconds,
      deliveredPerSecond: null,
      memory: server.memory,
      note: null,
      isSound: measured.load.broken === 0,
    });
    await settle(bench, server);
  }
}

/** Waits until nothing is queued: the load before must not weigh on the next. */
async function settle({ upstream }: Bench, { managementPort }: RunningServer): Promise<void> {
  await upstream.become('takes');
  while ((await readLedger(managementPort)).queued > 0) await delay(LOOK_MS);
  await upstream.become('refuses');
}

function keepPages(
  bench: Bench,
  server: RunningServer,
  payload: PageName,
  { load, usage }: Measured,
  before: PageCounts,
  after: PageCounts,
): void {
  const recorded = after.recorded - before.recorded;
  const limited = after.limited - before.limited;
  // The loader stops in mid-request.
  const least = load.requests - CONNECTIONS;
  record(bench, { mode: 'gateway', payload, connections: CONNECTIONS, depth: null }, server.kind, {
    perSecond: load.requests / load.seconds,
    deliveredPerSecond: null,
    load,
    usage,
    memory: server.memory,
    note: `${load.requests} pages, of which ${recorded} recorded and ${limited} limited`,
    isSound: load.broken === 0 && (payload === 'recorded' ? recorded : limited) >= least,
  });
}
