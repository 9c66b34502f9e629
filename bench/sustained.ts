import { isKept, waitForBacklog, warmUp } from './backlog.ts';
import { type Bench, connectionsOf, measure, okOf, record, withServer } from './bench.ts';
import type { PayloadName } from './payloads.ts';
import { RateSearch, stepDown } from './rate-search.ts';
import type { RunningServer } from './running-server.ts';
import type { ServerKind } from './servers.ts';
import { runTrial, type Trial } from './trial.ts';

/**
 * End to end: what a server brings to the upstream for as long as one likes.
 *
 * For a pass-through that is its rate with all connections busy. Errata answers before it forwards and would be
 * overrun like that, so the highest rate is looked for at which its backlog stays flat.
 */

/** The search gives up looking closer after so many trials; each takes about ten seconds. */
const MAX_TRIALS = 12;
/**
 * A rate that failed while others worked on the cores, or while the server had some of its core left (it waited, for a
 * disk that stood still perhaps), is tried so many times more: one such second is not the server's limit.
 */
const MAX_REPEATS = 1;
/** Share of its core from which a server counts as at its limit. */
const AT_LIMIT = 0.9;
/** So often a round tries a lower rate when the one that was found does not hold for its whole time. */
const MAX_ATTEMPTS = 3;
/** Queued envelopes are compared with those after this time, in the search and in a round. */
const TRIAL_SETTLE_SECONDS = 2;
const SETTLE_SECONDS = 5;

/** Measures all servers that forward. */
export async function measureSustained(bench: Bench, payload: PayloadName): Promise<void> {
  const rates = new Map<string, number>();
  await bench.upstream.become('takes');
  for (let round = 1; round <= bench.options.rounds; round += 1) {
    bench.print(`end to end with ${payload}s, round ${round}`);
    for (const kind of bench.servers.filter(({ promised }) => promised !== 'nothing')) {
      if (kind.promised === 'upstream') {
        await closedLoop(bench, kind, payload);
        continue;
      }
      const rate = rates.get(kind.id) ?? bench.options.rate ?? (await search(bench, kind, payload));
      rates.set(kind.id, await heldRound(bench, kind, payload, rate));
    }
  }
}

async function closedLoop(bench: Bench, kind: ServerKind, payload: PayloadName): Promise<void> {
  const { options, upstream } = bench;
  const connections = connectionsOf(bench);
  const load = { payload, connections, rate: null };
  await withServer(bench, kind, async (server) => {
    await measure(bench, server, { ...load, seconds: options.warmUpSeconds });
    const before = await upstream.answered();
    const measured = await measure(bench, server, { ...load, seconds: options.seconds });
    const delivered = (await upstream.answered()) - before;
    const answered = okOf(measured.load);
    record(bench, { mode: 'e2e', payload, connections, depth: null }, kind, {
      ...measured,
      perSecond: answered / measured.load.seconds,
      deliveredPerSecond: null,
      memory: server.memory,
      note: null,
      isSound: delivered >= answered,
    });
  });
}

function describe(trial: Trial, rate: number): string {
  const { queuedAtFirst, queuedAtLast, fault } = trial;
  const verdict = fault === null ? 'it holds' : `it does NOT hold (${fault})`;
  return `offered ${rate}/s, ${queuedAtFirst} queued at first and ${queuedAtLast} at last: ${verdict}`;
}

/** Finds the highest rate that holds for a trial; all trials in one process, each with an empty spool. */
async function search(bench: Bench, kind: ServerKind, payload: PayloadName): Promise<number> {
  const { options, upstream, print } = bench;
  const connections = connectionsOf(bench);
  return withServer(bench, kind, async (server) => {
    const rates = new RateSearch(options.startRate);
    const before = { accepted: 0, delivered: await upstream.answered() };
    await measure(bench, server, { payload, connections, rate: options.startRate, seconds: 2 });
    let repeats = 0;
    for (let trials = 0; trials < MAX_TRIALS && !rates.isDone; trials += 1) {
      await waitForBacklog(upstream, server.managementPort, before);
      const rate = rates.next;
      const trial = await runTrial(bench, server, {
        payload,
        connections,
        rate,
        seconds: options.trialSeconds,
        settleSeconds: TRIAL_SETTLE_SECONDS,
        mayEndEarly: true,
      });
      const { server: cpu, foreign } = trial.usage;
      if (trial.fault === null) rates.held(cpu);
      else if ((trial.usage.voidReason === null && cpu >= AT_LIMIT) || repeats === MAX_REPEATS)
        rates.failed();
      repeats = rate === rates.next ? repeats + 1 : 0;
      const cores = `${Math.round(cpu * 100)} % of the core, others ${Math.round(foreign * 100)} %`;
      print(`  ${kind.title}, search: ${describe(trial, rate)}; ${cores}`);
    }
    // When none held, a round at the next lower one shows by how much.
    return rates.found === 0 ? Math.max(1, rates.next) : rates.found;
  });
}

/** One round at a rate, or lower where that does not hold; returns the rate the round ended with. */
async function heldRound(
  bench: Bench,
  kind: ServerKind,
  payload: PayloadName,
  found: number,
): Promise<number> {
  let rate = found;
  for (let attempts = 1; ; attempts += 1) {
    const trial = await withServer(bench, kind, (server) =>
      attempt(bench, server, payload, { rate, isLast: attempts === MAX_ATTEMPTS }),
    );
    if (trial.fault === null || attempts === MAX_ATTEMPTS) return rate;
    bench.print(`  ${kind.title}: ${describe(trial, rate)}; trying less`);
    rate = stepDown(rate);
  }
}

/** Warms up, offers the rate for the whole time, and checks what arrived; recorded when flat, or when it is the last. */
async function attempt(
  bench: Bench,
  server: RunningServer,
  payload: PayloadName,
  { rate, isLast }: { readonly rate: number; readonly isLast: boolean },
): Promise<Trial> {
  const { options, upstream } = bench;
  const connections = connectionsOf(bench);
  const load = { payload, connections, rate };
  const before = await warmUp(bench, server, load);
  const trial = await runTrial(bench, server, {
    ...load,
    seconds: options.sustainedSeconds,
    settleSeconds: SETTLE_SECONDS,
    mayEndEarly: !isLast,
  });
  const { memory } = server;
  const backlog = await waitForBacklog(upstream, server.managementPort, before);
  if (trial.fault === null || isLast) {
    const { load: result, usage } = trial;
    record(bench, { mode: 'e2e', payload, connections, depth: null }, server.kind, {
      perSecond: trial.settledPerSecond,
      deliveredPerSecond: null,
      load: result,
      usage,
      memory,
      note: `${describe(trial, rate)}; accepted ${backlog.accepted}, delivered ${backlog.delivered}`,
      isSound: trial.fault === null && isKept(backlog, okOf(result)),
    });
  }
  return trial;
}
