import { BESIDE_RATED } from './gateway.ts';
import { deliveredOf, medianOf, rateOf, voidsOf, yieldOf } from './figures.ts';
import type { LoadMode } from './options.ts';
import type { PayloadName } from './payloads.ts';
import type { Results, Series, Setting } from './series.ts';
import type { Verdict } from './verdict.ts';

/** Errata's promises of speed, each with its measurement. */

const ERRATA = 'errata';
/** Connections at which the intake's throughput and its latency have a target. */
const MANY = 128;
const SOME = 32;
/** Delivered per second to an upstream of 100 ms: 64 requests at a time were 571. */
const MIN_DELIVERED = 3_000;
/** Pages of a gateway. The first 2,000 of a service are on disk when they are sent; above, 5 a second are. */
const PAGES = [
  { payload: 'recorded', what: 'pages of a gateway, each recorded (the start of an outage)', least: 3_000 },
  { payload: 'limited', what: 'pages of a gateway above the limit, with a digest only', least: null },
] as const;
/** Beside the time that the failed request itself has taken, a person does not notice it. */
const MAX_PAGE_P99_MS = 50;
/** Share of the intake that is left while 1,000 clients a second meet a dead service. */
const MIN_BESIDE_PAGES = 0.8;
/** Of one process through all loads; see docs/decisions/017-heap-growth.md. */
const MAX_RSS_MIB = 320;

/** Errata's rate under a setting as a multiple of a peer's. */
interface Multiple {
  readonly what: string;
  readonly peer: string;
  /** Null: printed to compare with, without a target. */
  readonly least: number | null;
  readonly matches: (setting: Setting) => boolean;
}

function intake(connections: number): (setting: Setting) => boolean {
  return (setting) => setting.mode === 'intake' && setting.connections === connections;
}

function e2e(payload: PayloadName): (setting: Setting) => boolean {
  return (setting) => setting.mode === 'e2e' && setting.payload === payload;
}

function closed({ mode }: Setting): boolean {
  return mode === 'closed';
}

const MULTIPLES: readonly Multiple[] = [
  { what: `intake, ${MANY} connections`, peer: 'managed', least: 5, matches: intake(MANY) },
  { what: `intake, ${MANY} connections`, peer: 'bare', least: 0.35, matches: intake(MANY) },
  { what: `intake, ${SOME} connections`, peer: 'managed', least: null, matches: intake(SOME) },
  { what: `intake, ${SOME} connections`, peer: 'bare', least: null, matches: intake(SOME) },
  { what: 'end to end', peer: 'managed', least: 2.5, matches: e2e('transaction') },
  { what: 'end to end', peer: 'undici', least: 0.45, matches: e2e('transaction') },
  { what: 'end to end', peer: 'managed', least: 1.2, matches: e2e('error') },
  { what: 'end to end', peer: 'managed', least: null, matches: e2e('profile') },
  { what: 'closed loop, upstream up', peer: 'managed', least: 4, matches: closed },
  { what: 'closed loop, upstream up', peer: 'bare', least: null, matches: closed },
  { what: 'closed loop, upstream up', peer: 'nginx', least: null, matches: closed },
];

function times(value: number): string {
  return `${value.toFixed(2)}x`;
}

/** Whether one of them has nothing but void rounds. */
function areVoid(...series: readonly Series[]): boolean {
  return series.some((one) => voidsOf(one) === one.samples.length);
}

/** A ratio of rates; the ratio of what a second of CPU time yields stands beside it for busy machines. */
function ratioOf(one: Series, other: Series): { readonly ratio: number; readonly text: string } {
  const ratio = rateOf(one) / rateOf(other);
  const byCpu = times(yieldOf(one) / yieldOf(other));
  return { ratio, text: `${times(ratio)} (${byCpu} by CPU time)` };
}

function find(results: Results, setting: Setting, id: string): Series | undefined {
  return results.under(setting).find(({ kind }) => kind.id === id);
}

function multipleVerdicts(results: Results, { what, peer, least, matches }: Multiple): readonly Verdict[] {
  return results.settings.filter(matches).flatMap((setting) => {
    const errata = find(results, setting, ERRATA);
    const other = find(results, setting, peer);
    if (errata === undefined || other === undefined) return [];
    const { ratio, text } = ratioOf(errata, other);
    return [
      {
        what: `${what}, ${setting.payload}, to ${peer}`,
        target: least === null ? '' : `>= ${times(least)}`,
        measured: text,
        isMet: least === null ? null : ratio >= least,
        isVoid: areVoid(errata, other),
      },
    ];
  });
}

function latencyVerdicts(results: Results): readonly Verdict[] {
  return results.settings.filter(intake(SOME)).flatMap((setting) => {
    const errata = find(results, setting, ERRATA);
    const managed = find(results, setting, 'managed');
    if (errata === undefined || managed === undefined) return [];
    const [own, other] = [errata, managed].map((series) => medianOf(series, ({ load }) => load.p99Ms));
    if (own === undefined || other === undefined) return [];
    return [
      {
        what: `p99, ${SOME} connections, ${setting.payload}`,
        target: `<= ${other.toFixed(2)} ms (managed)`,
        measured: `${own.toFixed(2)} ms`,
        isMet: own <= other,
        isVoid: areVoid(errata, managed),
      },
    ];
  });
}

function depthVerdicts(results: Results): readonly Verdict[] {
  const deep = results.all.filter(({ setting }) => setting.mode === 'depth' && setting.depth !== 0);
  return deep.flatMap((series) => {
    const flat = find(results, { ...series.setting, depth: 0 }, series.kind.id);
    if (flat === undefined) return [];
    const { ratio, text } = ratioOf(series, flat);
    const what = `intake at ${series.setting.depth?.toLocaleString('en')} spooled, to at 0, ${series.setting.payload}`;
    return [{ what, target: '>= 0.90x', measured: text, isMet: ratio >= 0.9, isVoid: areVoid(series, flat) }];
  });
}

/** Intake with the upstream up, to intake in an outage of the same run. */
function closedVerdicts(results: Results): readonly Verdict[] {
  return results.settings.filter(closed).flatMap((setting) => {
    const up = find(results, setting, ERRATA);
    const down = find(results, { ...setting, mode: 'intake' }, ERRATA);
    if (up === undefined || down === undefined) return [];
    const { ratio, text } = ratioOf(up, down);
    const what = `closed loop, upstream up, to outage, ${setting.payload}`;
    return [{ what, target: '>= 0.75x', measured: text, isMet: ratio >= 0.75, isVoid: areVoid(up, down) }];
  });
}

function deliveryVerdicts(results: Results): readonly Verdict[] {
  const all = results.all.filter(({ setting, kind }) => setting.mode === 'latency' && kind.id === ERRATA);
  return all.map((series) => {
    const perSecond = deliveredOf(series);
    return {
      what: `delivered to an upstream of 100 ms, ${series.setting.payload}`,
      target: `>= ${MIN_DELIVERED.toLocaleString('en')}/s`,
      measured: `${Math.round(perSecond).toLocaleString('en')}/s`,
      isMet: perSecond >= MIN_DELIVERED,
      isVoid: areVoid(series),
    };
  });
}

function pageVerdicts(results: Results): readonly Verdict[] {
  return PAGES.flatMap(({ payload, what, least }) => {
    const isMode = ({ setting }: Series): boolean =>
      setting.mode === 'gateway' && setting.payload === payload;
    return results.all.filter(isMode).flatMap((series) => {
      const [perSecond, perCpuSecond] = [rateOf(series), yieldOf(series)].map((value) => Math.round(value));
      const p99Ms = medianOf(series, ({ load }) => load.p99Ms);
      if (perSecond === undefined || perCpuSecond === undefined) return [];
      return [
        {
          what,
          target: least === null ? '' : `>= ${least.toLocaleString('en')}/s`,
          measured: `${perSecond.toLocaleString('en')}/s (${perCpuSecond.toLocaleString('en')} a CPU second)`,
          isMet: least === null ? null : perSecond >= least,
          isVoid: areVoid(series),
        },
        {
          what: `p99, ${what}`,
          target: `<= ${MAX_PAGE_P99_MS} ms`,
          measured: `${p99Ms.toFixed(1)} ms`,
          isMet: p99Ms <= MAX_PAGE_P99_MS,
          isVoid: areVoid(series),
        },
      ];
    });
  });
}

/** Intake beside pages of a gateway, to that without them. */
function besideVerdicts(results: Results): readonly Verdict[] {
  return results.all.flatMap((series) => {
    const { beside, ...setting } = series.setting;
    const alone = beside === undefined ? undefined : find(results, setting, series.kind.id);
    if (alone === undefined) return [];
    const { ratio, text } = ratioOf(series, alone);
    const least = beside === BESIDE_RATED ? MIN_BESIDE_PAGES : null;
    return [
      {
        what: `intake beside ${beside}, to intake alone, ${setting.payload}`,
        target: least === null ? '' : `>= ${times(least)}`,
        measured: text,
        isMet: least === null ? null : ratio >= least,
        isVoid: areVoid(series, alone),
      },
    ];
  });
}

function memoryVerdicts(results: Results): readonly Verdict[] {
  const samples = results.all.filter(({ kind }) => kind.id === ERRATA).flatMap((series) => series.samples);
  if (samples.length === 0) return [];
  const peak = Math.max(...samples.map(({ memory }) => memory.peakMiB));
  const measured = `${Math.round(peak)} MiB at most`;
  return [
    {
      what: 'RSS throughout',
      target: `<= ${MAX_RSS_MIB} MiB`,
      measured,
      isMet: peak <= MAX_RSS_MIB,
      isVoid: false,
    },
  ];
}

function soundVerdicts(results: Results): readonly Verdict[] {
  const modes: readonly LoadMode[] = ['intake', 'e2e', 'closed', 'latency', 'gateway'];
  const samples = results.all
    .filter(({ kind, setting }) => kind.id === ERRATA && modes.includes(setting.mode))
    .flatMap((series) => series.samples);
  if (samples.length === 0) return [];
  const sound = samples.filter(({ isSound }) => isSound).length;
  const measured = `${sound} of ${samples.length} rounds`;
  const what = 'accepted = delivered; end to end: backlog flat; pages recorded or limited as meant';
  return [{ what, target: 'all', measured, isMet: sound === samples.length, isVoid: false }];
}

/** Every target with figures, and whether it is met. */
export function verdicts(results: Results): readonly Verdict[] {
  return [
    ...MULTIPLES.flatMap((multiple) => multipleVerdicts(results, multiple)),
    ...latencyVerdicts(results),
    ...closedVerdicts(results),
    ...deliveryVerdicts(results),
    ...depthVerdicts(results),
    ...pageVerdicts(results),
    ...besideVerdicts(results),
    ...memoryVerdicts(results),
    ...soundVerdicts(results),
  ];
}
