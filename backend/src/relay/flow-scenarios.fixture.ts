import { ProcessModel } from './flow-model.fixture.ts';
import type { UpstreamModel } from './flow-sink.fixture.ts';

/** Time until a client of a closed loop sends again, ms. */
const AGAIN_MS = 0.15;

/** Clients that send again as soon as they are answered. Returns 200s and deliveries of each sink, per second. */
export async function closedLoop(
  cores: number,
  clients: number,
  isDown: boolean,
): Promise<readonly number[]> {
  const model = new ProcessModel({ cores, upstreams: [{ latencyMs: 0.2, isDown: () => isDown }] });
  const again = (): void => model.machine.after(AGAIN_MS, send);
  const send = (): void => model.request(again);
  for (let client = 0; client < clients; client += 1) model.machine.after(client / 100, send);
  return perSecond(model, 1_000, 3_000);
}

/** Requests at random times. @param rateAt per second, by the time. */
function openLoad(
  model: ProcessModel,
  rateAt: (nowMs: number) => number,
  untilMs: number,
  projects = 1,
): void {
  const next = (): void => {
    const waitMs = (-Math.log(1 - model.random()) * 1_000) / rateAt(model.machine.nowMs);
    model.machine.after(waitMs, () => {
      if (model.machine.nowMs >= untilMs) return;
      model.request(() => {}, Math.floor(model.random() * projects));
      next();
    });
  };
  next();
}

/** A load that arrives at a constant rate. Returns the longest queue of a sink at its end, in seconds of the rate. */
export async function steadyQueue(
  cores: number,
  rate: number,
  latencyMs: number,
  fsyncMs = 1.3,
): Promise<number> {
  const model = new ProcessModel({ cores, upstreams: [{ latencyMs }], fsyncMs });
  openLoad(model, () => rate, 10_000);
  await model.totals(10_000);
  return Math.max(...model.sinks.map(({ queued }) => queued)) / rate;
}

/** 4,000/s, which is too much for one core, in a container with a limit of one on 16. Returns what {@link closedLoop} does. */
export async function limitedCores(): Promise<readonly number[]> {
  const model = new ProcessModel({ cores: 16, coresLimit: 1, upstreams: [{ latencyMs: 20 }] });
  openLoad(model, () => 4_000, 3_000);
  return perSecond(model, 1_000, 3_000);
}

/** 4,000/s for 8 s to an upstream of 100 ms. Returns deliveries per second until the last one. */
export async function distantUpstream(): Promise<number> {
  const model = new ProcessModel({ cores: 1, upstreams: [{ latencyMs: 100 }] });
  openLoad(model, () => 4_000, 8_000);
  let ms = 8_000;
  await model.totals(ms);
  while ((model.sinks[0]?.delivered ?? 0) < model.accepted) await model.totals((ms += 100));
  return (model.accepted / ms) * 1_000;
}

/** 500/s, 7,500/s for five seconds, and 500/s. */
export async function burst(): Promise<{
  readonly refused: number;
  /** Of the answers, ms. */
  readonly p99Ms: number;
  /** Time after the burst until each sink has caught up, s. */
  readonly caughtUpAfterS: number;
  /** Median time of a look-up in the store that takes 5 ms of it, ms. */
  readonly lookUpMs: number;
}> {
  const model = new ProcessModel({ cores: 1, upstreams: [{}] });
  const { machine, sinks } = model;
  const lookUpsMs: number[] = [];
  openLoad(model, (nowMs) => (nowMs > 3_000 && nowMs < 8_000 ? 7_500 : 500), 24_000);
  for (let ms = 3_100; ms < 8_000; ms += 97)
    machine.after(ms, () => model.store.push(5, () => void lookUpsMs.push(machine.nowMs - ms)));
  let ms = 8_000;
  await model.totals(ms);
  const p99Ms = percentile(model.latenciesMs, 0.99);
  while (ms < 24_000 && sinks.some(({ queued }) => queued >= 150)) await model.totals((ms += 100));
  return {
    refused: model.refused.length,
    p99Ms,
    caughtUpAfterS: (ms - 8_000) / 1_000,
    lookUpMs: percentile(lookUpsMs, 0.5),
  };
}

/** 300/s and an outage of 30 s. Returns the envelopes sent in each second after it. */
export async function outage(): Promise<readonly number[]> {
  const isDown = (nowMs: number): boolean => nowMs > 2_000 && nowMs < 32_000;
  const model = new ProcessModel({ cores: 1, upstreams: [{ latencyMs: 20, isDown }] });
  openLoad(model, () => 300, 80_000);
  await model.totals(80_000);
  const sent = model.sinks[0]?.sent ?? [];
  const from = sent.findIndex((count, second) => second > 32 && count > 3);
  return sent.slice(from, from + 9);
}

/** 600/s each to upstreams of 2 ms and 400 ms, to one that answers 200/s, and to one that is down. */
export async function severalUpstreams(): Promise<{
  readonly rates: readonly number[];
  readonly windows: readonly number[];
}> {
  const upstreams: readonly UpstreamModel[] = [
    { project: 0 },
    { project: 1, latencyMs: 400 },
    { project: 2, latencyMs: 50, perSecond: 200 },
    { project: 3, isDown: () => true },
  ];
  const model = new ProcessModel({ cores: 2, upstreams });
  openLoad(model, () => 2_400, 12_000, 4);
  const [, ...rates] = await perSecond(model, 0, 12_000);
  return { rates, windows: model.sinks.slice(0, 3).map(({ window }) => window) };
}

/** More than the sinks take. The values are those from ten to twenty seconds after its start. */
export async function overload(
  rate: number,
  upstream: UpstreamModel,
  maxEnvelopes: number,
): Promise<{
  /** 200s and deliveries of each sink, per second. */
  readonly rates: readonly number[];
  readonly mostFill: number;
  /** Lowest fill at which a sender was refused, from the start on. */
  readonly refusedFromFill: number;
  /** Longest time until a refusal, ms. */
  readonly refusedAfterMs: number;
}> {
  const model = new ProcessModel({ cores: 1, upstreams: [upstream], maxEnvelopes });
  const fills: number[] = [];
  openLoad(model, () => rate, 20_000);
  for (let ms = 0; ms < 20_000; ms += 100) model.machine.after(ms, () => void fills.push(model.fill));
  await model.totals(10_000);
  const before = model.refused.length;
  const rates = await perSecond(model, 10_000, 20_000);
  return {
    rates,
    mostFill: Math.max(...fills),
    refusedFromFill: model.refused.reduce((least, { fill }) => Math.min(least, fill), 1),
    refusedAfterMs: model.refused.slice(before).reduce((most, { tookMs }) => Math.max(most, tookMs), 0),
  };
}

async function perSecond(model: ProcessModel, fromMs: number, toMs: number): Promise<readonly number[]> {
  const before = await model.totals(fromMs);
  const after = await model.totals(toMs);
  return after.map((count, at) => Math.round((count - (before[at] ?? 0)) / ((toMs - fromMs) / 1_000)));
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
