import type { ErasureMatch } from '../../contract/erasure-api.ts';
import type { QueryContext } from '../db/query-context.ts';
import { type ErasureRule, isErased } from '../erasure-rules/erasure-rule.ts';
import { briefEventsOf, matchingEvents, matchingFeedback } from './find-matches.ts';
import { walk } from './walk.ts';

/** What a rule matches in the store, for one project. */
export type StoredMatch = Omit<ErasureMatch, 'spooled'>;

/** Counts by project what {@link erase} would delete now. */
export async function countMatches({ db }: QueryContext, rule: ErasureRule): Promise<readonly StoredMatch[]> {
  const matches = new Map<string, StoredMatch>();
  const add = (project: string, events: number, feedback: number): void => {
    const before = matches.get(project) ?? { project, events: 0, feedback: 0 };
    matches.set(project, { project, events: before.events + events, feedback: before.feedback + feedback });
  };
  const persons = new Set<string>();
  for await (const { events } of walk(0, (after) => matchingEvents(db, rule, after))) {
    for (const { dsn, person } of events) {
      add(dsn, 1, 0);
      if (person !== null && !isNamedBy(rule, person)) persons.add(person);
    }
  }
  for (const person of rule.kind === 'user' ? persons : [])
    for await (const { events } of walk(0, (after) => briefEventsOf(db, person, rule, after)))
      for (const { dsn } of events) add(dsn, 1, 0);
  for await (const { feedback } of walk(0, (after) => matchingFeedback(db, rule, after)))
    for (const { dsn } of feedback) add(dsn, 0, 1);
  return [...matches.values()];
}

/** Returns whether brief events of a person are among the matching events already. */
function isNamedBy(rule: ErasureRule, person: string): boolean {
  const receivedMs = rule.atMs - 1;
  return isErased([rule], { receivedMs, project: rule.project ?? '', eventIds: [], names: () => [person] });
}
