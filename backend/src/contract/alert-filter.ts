import type { IssueKind } from './event-api.ts';
import type { IssueEvent } from './webhook-api.ts';

/** Levels of events, the lowest first. */
export const LEVELS = ['debug', 'info', 'warning', 'error', 'fatal'] as const;
export type Level = (typeof LEVELS)[number];

/** Returns the level of an event. A text that is no level counts as `error`, as does none. */
export function levelOf(level: string | null): Level {
  return LEVELS.find((each) => each === level) ?? 'error';
}

/** Kinds of alerts: of issues, and of the process itself. */
export type AlertEvent = IssueEvent | 'health';

/** Which alerts a target gets. A list that is null allows all. */
export interface AlertFilter {
  readonly on: readonly AlertEvent[] | null;
  readonly kinds: readonly IssueKind[] | null;
  /** An event without an environment is in no list. */
  readonly environments: readonly string[] | null;
  /** Host and path of DSNs. */
  readonly projects: readonly string[] | null;
  /** The lowest level. */
  readonly level: Level;
}

/** Returns whether a list of a filter has a text; null has all. */
export function isIn(list: readonly string[] | null, text: string | null): boolean {
  return list === null || (text !== null && list.includes(text));
}

/** Services whose messages have a form of their own; `json` is Standard Webhooks. */
export const ALERT_SERVICES = ['slack', 'teams', 'discord', 'mattermost', 'google', 'json'] as const;
export type AlertService = (typeof ALERT_SERVICES)[number];
