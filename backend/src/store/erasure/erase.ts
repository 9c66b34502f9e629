import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { hourOf } from '../../time/iso.ts';
import { ALIAS_FACT, PERSON_FACT, TAG_FACT } from '../event/fact-forms.ts';
import { retainFacts } from '../retention/retain-facts.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';
import { purgeDeletedTexts } from '../db/sqlite/text-index.ts';
import { type ErasedRows, eraseEvents, type MatchingEvent } from './erase-events.ts';
import { emptiedIssues, eraseFactsOf } from './emptied-issues.ts';
import type { ErasureRule } from '../erasure-rules/erasure-rule.ts';
import { finishRule } from '../erasure-rules/erasure-rules.ts';
import { briefEventsOf, matchingEvents, matchingFeedback } from './find-matches.ts';
import { erasePersonFacts } from './person-facts.ts';
import { rebuildIssue } from './rebuild-issue.ts';
import { walk } from './walk.ts';

/**
 * Erases the rows that a rule matches, in steps of a few milliseconds, between which reads and ingest run. May be run
 * again from the beginning after an interruption.
 *
 * store/erasure/ deletes the data of erasure rules. It must never delete a count, and never finish a rule while a title,
 * a search text or a fact can still quote a deleted row.
 */
export async function erase({ db, flavor, now }: QueryContext, rule: ErasureRule): Promise<ErasedRows> {
  const erasure = new ErasureRun(db, rule);
  for await (const { events } of walk(0, (after) => matchingEvents(db, rule, after)))
    await erasure.erase(events);
  if (rule.kind === 'user') await erasePerson(db, rule, erasure);
  if (rule.kind === 'before') await eraseBefore(db, rule, erasure);
  for await (const { feedback } of walk(0, (after) => matchingFeedback(db, rule, after))) {
    const ids = feedback.map(({ id }) => id);
    if (ids.length > 0) await db.deleteFrom('feedback').where('id', 'in', ids).execute();
    erasure.feedback += ids.length;
  }
  await erasure.rebuildIssues();
  await finishRule(db, rule.id, now());
  if (flavor === 'sqlite') await cleanFile(db);
  return { events: erasure.events, feedback: erasure.feedback };
}

/** Removes deleted rows from the text index and from the write-ahead log, where they stay readable until then. */
async function cleanFile(db: Database): Promise<void> {
  await purgeDeletedTexts(db);
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
}

async function erasePerson(db: Database, rule: ErasureRule, erasure: ErasureRun): Promise<void> {
  await erasure.eraseBriefEvents();
  for (const kind of [PERSON_FACT, ALIAS_FACT, TAG_FACT] as const)
    for await (const { issueIds } of walk('', (after) => erasePersonFacts(db, rule, kind, after)))
      erasure.addIssues(issueIds);
}

/**
 * Erases the traces of events that retention has deleted. The time of a fact is exact to an hour: for the hour that
 * contains the given time, it deletes the facts of issues without events.
 */
async function eraseBefore(db: Database, rule: ErasureRule, erasure: ErasureRun): Promise<void> {
  const beforeMs = Number(rule.value);
  if (rule.project === null) await retainFacts(db, hourOf(beforeMs));
  for await (const { issueIds, emptied } of walk(0, (after) => emptiedIssues(db, rule, after))) {
    if (rule.project !== null) await eraseFactsOf(db, issueIds, hourOf(beforeMs));
    await eraseFactsOf(db, emptied, beforeMs);
    erasure.addIssues(emptied);
  }
}

/** The rows deleted so far, with the issues and persons that they belonged to. */
class ErasureRun {
  events = 0;
  feedback = 0;
  readonly #db: Database;
  readonly #rule: ErasureRule;
  readonly #issues = new Set<number>();
  readonly #persons = new Set<string>();

  constructor(db: Database, rule: ErasureRule) {
    this.#db = db;
    this.#rule = rule;
  }

  async erase(matches: readonly MatchingEvent[]): Promise<void> {
    const { events, feedback } = await eraseEvents(this.#db, matches, this.#rule.project);
    this.events += events;
    this.feedback += feedback;
    for (const { issue_id: issueId, person } of matches) {
      this.#issues.add(issueId);
      if (person !== null) this.#persons.add(person);
    }
  }

  /** Adds issues that quote erased data without losing an event. */
  addIssues(issueIds: readonly number[]): void {
    for (const id of issueIds) this.#issues.add(id);
  }

  async eraseBriefEvents(): Promise<void> {
    for (const person of this.#persons)
      for await (const { events } of walk(0, (after) => briefEventsOf(this.#db, person, this.#rule, after)))
        await this.erase(events);
  }

  async rebuildIssues(): Promise<void> {
    for (const issueId of this.#issues) {
      await rebuildIssue(this.#db, issueId);
      await setImmediate();
    }
  }
}
