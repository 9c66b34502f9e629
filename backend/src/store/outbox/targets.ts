import { type AlertFilter, isIn, levelOf, LEVELS } from '../../contract/alert-filter.ts';
import type { IssueKind } from '../../contract/event-api.ts';
import type { IssueEvent } from '../../contract/webhook-api.ts';

/** What the filters read: the kind of alert, and facts of the event that raised it. */
export interface RaisedAlert {
  readonly event: IssueEvent;
  readonly kind: IssueKind;
  readonly environment: string | null;
  /** Host and path of the DSN. */
  readonly project: string;
  /** As sent, see levelOf. */
  readonly level: string | null;
}

/** A receiver of alerts as the store knows it: nothing of its address. */
export interface AlertTarget {
  /** Start of the SHA-256 of its address: rows find it after a restart. */
  readonly id: string;
  readonly filter: AlertFilter;
  /** Most messages in `perMs`; the last of them summarises the rest. */
  readonly max: number;
  readonly perMs: number;
}

/** Returns whether a filter allows an alert. */
export function allows(filter: AlertFilter, alert: RaisedAlert): boolean {
  return (
    isIn(filter.on, alert.event) &&
    isIn(filter.kinds, alert.kind) &&
    isIn(filter.environments, alert.environment) &&
    isIn(filter.projects, alert.project) &&
    rankOf(alert.level) >= rankOf(filter.level)
  );
}

function rankOf(level: string | null): number {
  return LEVELS.indexOf(levelOf(level));
}
