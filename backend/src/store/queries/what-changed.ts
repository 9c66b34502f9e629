import type { Change } from '../../contract/facets-api.ts';
import { DAY_MS, HOUR_MS, hourOf } from '../../time/iso.ts';

/** What is known about an issue and its neighbours; see {@link whatChanged}. */
export interface IssueHistory {
  readonly nowMs: number;
  readonly firstSeenMs: number;
  /** The release of its first event; null without one. */
  readonly release: FirstRelease | null;
  /** Its events by the first instant of their hour. */
  readonly hours: ReadonlyMap<number, number>;
  /** Its newest events that were read. */
  readonly of: number;
  /** The values that all of these have, the most telling first. */
  readonly common: readonly CommonValue[];
}

export interface FirstRelease {
  readonly name: string;
  readonly firstSeenMs: number;
  /** Whether no other release of the project was seen before it. */
  readonly isFirstOfProject: boolean;
}

export interface CommonValue extends Omit<Extract<Change, { readonly kind: 'only' }>, 'kind'> {
  /** Other issues of the project that had another value within {@link ELSEWHERE_MS}. */
  readonly elsewhere: number;
}

/** A release is behind an issue that it brought within a day. */
const NEW_WITHIN_MS = DAY_MS;
/** A release begins with an arrival, an issue by the client's clock: clocks differ, and events arrive late. */
const OLDER_BY_MS = HOUR_MS;
/** Below so many events an hour, or a value that all have, is chance. */
export const MIN_EVENTS = 20;
const MIN_TIMES = 3;
/** A week has each hour of the day and each day of the week. */
const USUAL_HOURS = 168;
const MIN_USUAL_HOURS = 24;
/** The usual ones, the last whole one and this one. */
export const HOURS_READ = USUAL_HOURS + 2;
/** Issues that must have another value: one that all issues have says nothing. */
export const MIN_ELSEWHERE = 3;
export const ELSEWHERE_MS = DAY_MS;
export const MAX_ONLY = 3;

/** Returns what is different about an issue, by counts alone. A part that does not hold is left out. */
export function whatChanged(history: IssueHistory): readonly Change[] {
  return [...newIn(history), ...burstIn(history), ...onlyIn(history)];
}

function newIn({ firstSeenMs, release }: IssueHistory): readonly Change[] {
  if (release === null || release.isFirstOfProject) return [];
  const afterMs = firstSeenMs - release.firstSeenMs;
  return -OLDER_BY_MS <= afterMs && afterMs <= NEW_WITHIN_MS ? [{ kind: 'new', release: release.name }] : [];
}

/** Compares this hour and the last whole one with the usual one. */
function burstIn(history: IssueHistory): readonly Change[] {
  const hour = hourOf(history.nowMs);
  const times = Math.max(timesUsual(history, hour), timesUsual(history, hour - HOUR_MS));
  return times >= MIN_TIMES ? [{ kind: 'burst', times: Math.floor(times) }] : [];
}

/** An hour without events counts as one event: of nothing everything is infinitely often. */
function timesUsual({ firstSeenMs, hours }: IssueHistory, hourMs: number): number {
  const events = hours.get(hourMs) ?? 0;
  const count = Math.min(USUAL_HOURS, (hourMs - hourOf(firstSeenMs)) / HOUR_MS);
  if (events < MIN_EVENTS || count < MIN_USUAL_HOURS) return 0;
  const before = Array.from({ length: count }, (_, at) => hours.get(hourMs - (at + 1) * HOUR_MS) ?? 0);
  const mean = before.reduce((sum, each) => sum + each, 0) / count;
  return events / Math.max(mean, 1);
}

function onlyIn({ of, common }: IssueHistory): readonly Change[] {
  if (of < MIN_EVENTS) return [];
  return common
    .filter(({ elsewhere }) => elsewhere >= MIN_ELSEWHERE)
    .slice(0, MAX_ONLY)
    .map(({ field, value, term }) => ({ kind: 'only', field, value, term }));
}
