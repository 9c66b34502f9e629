import { deliveredOf, medianOf, rateOf, threadCosts, voidsOf, yieldOf } from './figures.ts';
import type { LoadMode } from './options.ts';
import { PAYLOAD_TITLES } from './payloads.ts';
import type { Results, Sample, Series, Setting } from './series.ts';
import { PROMISES } from './servers.ts';
import { table } from './table.ts';

/** Unit that is counted per second. */
const COUNTED: Readonly<Record<LoadMode, string>> = {
  intake: "answers/s, upstream refusing (a pass-through's answer is then the upstream's 503, which counts)",
  e2e: 'envelopes/s that reached the upstream, sustained; of Errata also settled, backlog flat',
  closed: '200s/s, upstream up, all connections busy for the whole time',
  latency: '200s/s, upstream answering after 100 ms; delivered/s until the last one has arrived',
  depth: '200s/s, upstream refusing',
  gateway: 'pages/s (each has the status 502), and 200s/s of the tunnel, upstream refusing',
};

/** The ceiling of what a mode measures: nothing on node:http that does the same can be faster. */
const CEILINGS: Readonly<Record<LoadMode, string>> = {
  intake: 'bare',
  e2e: 'undici',
  closed: 'bare',
  latency: 'undici',
  depth: 'bare',
  gateway: 'bare',
};

/** Modes whose tables show where each server's CPU time went, not Errata's alone. */
const COSTS_OF_ALL: ReadonlySet<LoadMode> = new Set(['closed', 'latency']);

/** Threads that cost less, in microseconds for each envelope, are not worth a word. */
const LEAST_COST_US = 0.5;

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function ratio(series: Series, other: Series | undefined): string {
  return other === undefined ? '-' : `${(rateOf(series) / rateOf(other)).toFixed(2)}x`;
}

function delivered(series: Series): string {
  const isCounted = series.samples.some(({ deliveredPerSecond }) => deliveredPerSecond !== null);
  return isCounted ? whole(deliveredOf(series)) : '-';
}

function sum(series: Series, read: (sample: Sample) => number): string {
  return whole(series.samples.reduce((total, sample) => total + read(sample), 0));
}

const HEAD = [
  'server',
  'its 200 means',
  'per s',
  'per CPU s',
  'delivered/s',
  'p50 ms',
  'p99 ms',
  'non-200',
  'broken',
  'CPU server',
];
const HEAD_REST = ['loader', 'upstream', 'others', 'to managed', 'to ceiling', ''];

function cells(series: Series, all: readonly Series[]): readonly string[] {
  const find = (id: string): Series | undefined => all.find(({ kind }) => kind.id === id);
  const voids = voidsOf(series);
  return [
    series.kind.title,
    PROMISES[series.kind.promised],
    whole(rateOf(series)),
    whole(yieldOf(series)),
    delivered(series),
    medianOf(series, ({ load }) => load.p50Ms).toFixed(2),
    medianOf(series, ({ load }) => load.p99Ms).toFixed(2),
    sum(series, ({ load }) => load.notOk),
    sum(series, ({ load }) => load.broken),
    percent(medianOf(series, ({ usage }) => usage.server)),
    percent(medianOf(series, ({ usage }) => usage.loader)),
    percent(medianOf(series, ({ usage }) => usage.upstream)),
    percent(medianOf(series, ({ usage }) => usage.foreign)),
    ratio(series, find('managed')),
    ratio(series, find(CEILINGS[series.setting.mode])),
    voids === 0 ? '' : `${voids} of ${series.samples.length} void`,
  ];
}

function titleOf({ mode, payload, connections, depth, beside }: Setting): string {
  const where = depth === null ? '' : `, ${whole(depth)} envelopes spooled before`;
  const also = beside === undefined ? '' : `, beside ${beside}`;
  return `${mode}, ${PAYLOAD_TITLES[payload]}, ${connections} connections${where}${also}: ${COUNTED[mode]}`;
}

/** Where a server's time and memory went. */
function costLine(series: Series): string {
  const costs = threadCosts(series);
  const total = costs.reduce((all, { microseconds }) => all + microseconds, 0);
  const parts = costs
    .filter(({ microseconds }) => microseconds >= LEAST_COST_US)
    .map(({ name, microseconds }) => `${name} ${microseconds.toFixed(1)}`);
  const peak = Math.max(...series.samples.map(({ memory }) => memory.peakMiB));
  const end = medianOf(series, ({ memory }) => memory.nowMiB);
  return (
    `${series.kind.title}: CPU per envelope ${total.toFixed(1)} us (${parts.join(', ')});` +
    ` RSS at most ${whole(peak)} MiB, ${whole(end)} MiB at the end`
  );
}

/** One table for each setting. */
export function report(results: Results): string {
  return results.settings
    .map((setting) => {
      const all = results.under(setting);
      const rows = [[...HEAD, ...HEAD_REST], ...all.map((series) => cells(series, all))];
      const costs = all
        .filter(({ kind }) => kind.promised === 'durable' || COSTS_OF_ALL.has(setting.mode))
        .map(costLine);
      return [titleOf(setting), table(rows, 2), ...costs].join('\n');
    })
    .join('\n\n');
}
