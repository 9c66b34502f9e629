import type { Round } from './round.ts';
import type { ServerKind } from './servers.ts';

/** All rounds of one server, in order. */
export interface Series {
  readonly kind: ServerKind;
  readonly rounds: readonly Round[];
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The rounds that count: those not void, or all where all are. */
function counting(series: Series): readonly Round[] {
  const good = series.rounds.filter(({ voidReason }) => voidReason === null);
  return good.length > 0 ? good : series.rounds;
}

function medianOf(series: Series, read: (round: Round) => number): number {
  return median(counting(series).map(read));
}

function rate(series: Series): number {
  return medianOf(series, ({ requests, notOk, seconds }) => (requests - notOk) / seconds);
}

/** What a second of the server's CPU time yields; it says the same on a busy machine as on a quiet one. */
function yieldOf(series: Series): number {
  return medianOf(
    series,
    ({ requests, notOk, seconds, serverCpu }) => (requests - notOk) / (seconds * serverCpu),
  );
}

function ratio(series: Series, other: Series | undefined): string {
  return other === undefined ? '-' : `${(rate(series) / rate(other)).toFixed(2)}x`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function sum(series: Series, read: (round: Round) => number): string {
  return whole(series.rounds.reduce((total, round) => total + read(round), 0));
}

function cells(series: Series, managed: Series | undefined, bare: Series | undefined): readonly string[] {
  const voids = series.rounds.filter(({ voidReason }) => voidReason !== null).length;
  return [
    series.kind.title,
    series.kind.promise,
    whole(rate(series)),
    whole(yieldOf(series)),
    medianOf(series, ({ p50Ms }) => p50Ms).toFixed(2),
    medianOf(series, ({ p99Ms }) => p99Ms).toFixed(2),
    sum(series, ({ notOk }) => notOk),
    sum(series, ({ broken }) => broken),
    percent(medianOf(series, ({ serverCpu }) => serverCpu)),
    percent(medianOf(series, ({ loaderCpu }) => loaderCpu)),
    percent(medianOf(series, ({ upstreamCpu }) => upstreamCpu)),
    percent(medianOf(series, ({ foreignCpu }) => foreignCpu)),
    ratio(series, managed),
    ratio(series, bare),
    voids === 0 ? '' : `${voids} of ${series.rounds.length} void`,
  ];
}

const HEAD = [
  'server',
  'a 200 means',
  '200s/s',
  '200s/CPU s',
  'p50 ms',
  'p99 ms',
  'non-200',
  'broken',
  'CPU server',
  'loader',
  'upstream',
  'others',
  'to managed',
  'to bare',
  '',
];

/** The figures of a run as a table; columns of text to the left, of numbers to the right. */
export function table(all: readonly Series[]): string {
  const find = (id: string): Series | undefined => all.find(({ kind }) => kind.id === id);
  const rows = [HEAD, ...all.map((series) => cells(series, find('managed'), find('bare')))];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return rows.map(line).join('\n');
}

/** What became of the envelopes that were answered before they were forwarded. */
export function backlogLines(series: Series): readonly string[] {
  return series.rounds.flatMap(({ backlog, answered }, index) => {
    if (backlog === null) return [];
    const { accepted, delivered, upstreamSeconds, allSeconds } = backlog;
    const isKept = answered <= accepted && accepted === delivered;
    const counts = `answered ${whole(answered)}, accepted ${whole(accepted)}, delivered ${whole(delivered)}`;
    const all =
      allSeconds === null ? 'the store was not done in 300 s' : `the store ${allSeconds.toFixed(1)} s`;
    return [
      `  round ${index + 1}: ${counts}: ${isKept ? 'every one kept' : 'NOT THE SAME'};` +
        ` the upstream had all ${upstreamSeconds.toFixed(1)} s after the load, ${all}`,
    ];
  });
}
