import type { QueryClient } from '@tanstack/react-query';

/** First parts of the keys of all queries, here because a change names each query whose answer it outdates. */
export const SESSION = 'session';
/** Whether the last request reached the server. */
export const REACHED = 'reached';
export const SESSIONS = 'sessions';
export const AUDIT = 'audit';
export const ERASURE_MATCHES = 'erasure-matches';
export const ALERTS = 'alerts';
export const DELIVERY = 'delivery';
export const DEAD_LETTERS = 'dead-letters';
export const FIND = 'find';
export const FIND_EXAMPLES = 'find-examples';
export const ISSUES = 'issues';
export const ISSUE = 'issue';
export const ISSUE_EVENTS = 'issue-events';
export const ISSUE_FACETS = 'issue-facets';
export const EVENT = 'event';
export const TREND = 'trend';
export const PROJECTS = 'projects';
export const FEEDBACK = 'feedback';
export const LIVE_EVENTS = 'live-events';
export const SETUP = 'setup';
export const DEMO = 'demo';

/** Loads outdated queries again. Resolves when the views that are open show the new answers. */
export function invalidate(client: QueryClient, ...names: readonly string[]): Promise<unknown> {
  return Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })));
}
