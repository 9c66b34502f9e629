import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { hourOf } from '../../time/iso.ts';
import { ALIAS_FACT, PERSON_FACT } from '../event/fact-forms.ts';
import { retainFacts } from '../retention/retain-facts.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';
import { purgeDeletedTexts } from '../db/sqlite/text-index.ts';
import { type ErasedRows, eraseEvents, type MatchingEvent } from './erase-events.ts';
import { emptiedIssues, type EmptiedStep, eraseFactsOf } from './emptied-issues.ts';
import { type ErasureRule, isErased } from '../erasure-rules/erasure-rule.ts';
import { finishRule } from '../erasure-rules/erasure-rules.ts';
import { briefEventsOf, matchingEvents } from './find-matches.ts';
import { erasePersonFacts, type PersonFactStep } from './person-facts.ts';
import { rebuildIssue } from './rebuild-issue.ts';

/** Feedback of one transaction. */
const FEEDBACK_ROWS = 200;

/**
 * Erases the rows that a rule matches, in steps of a few milliseconds, between which reads and ingest run. May be run
 * again from the beginning after an interruption.
 *
 * store/erasure/ deletes the data of erasure rules. It must never delete a count, and never finish a rule while a title,
 * a search text or a fact can still quote a deleted row.
 */
export async function erase({ db, flavor, now }: QueryContext, rule: ErasureRule): Promise<ErasedRows> {
  const erasure = new ErasureRun(db);
  for (let after: number | null = 0; after !== null;) {
    const step = await matchingEvents(db, rule, after);
    await erasure.erase(step.events);
    after = step.next;
    // The embedded database is synchronous: without this no other request runs.
    await setImmediate();
  }
  if (rule.kind === 'user') await erasePerson(db, rule, erasure);
  if (rule.kind === 'before') await eraseBefore(db, Number(rule.value), erasure);
  for (let after: number | null = 0; after !== null;) {
    const step = await eraseFeedback(db, rule, after);
    erasure.feedback += step.feedback;
    after = step.next;
    await setImmediate();
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
  await erasure.eraseBriefEvents(rule.atMs);
  for (const kind of [PERSON_FACT, ALIAS_FACT] as const) {
    for (let after: string | null = ''; after !== null;) {
      const step: PersonFactStep = await erasePersonFacts(db, rule, kind, after);
      erasure.addIssues(step.issueIds);
      after = step.next;
      await setImmediate();
    }
  }
}

/**
 * Erases the traces of events that retention has deleted. The time of a fact is exact to an hour: for the hour that
 * contains the given time, it deletes the facts of issues without events.
 */
async function eraseBefore(db: Database, beforeMs: number, erasure: ErasureRun): Promise<void> {
  await retainFacts(db, hourOf(beforeMs));
  for (let after: number | null = 0; after !== null;) {
    const step: EmptiedStep = await emptiedIssues(db, beforeMs, after);
    await eraseFactsOf(db, step.issueIds, beforeMs);
    erasure.addIssues(step.issueIds);
    after = step.next;
    await setImmediate();
  }
}

/** The rows deleted so far, with the issues and persons that they belonged to. */
class ErasureRun {
  events = 0;
  feedback = 0;
  readonly #db: Database;
  readonly #issues = new Set<number>();
  readonly #persons = new Set<string>();

  constructor(db: Database) {
    this.#db = db;
  }

  async erase(matches: readonly MatchingEvent[]): Promise<void> {
    const { events, feedback } = await eraseEvents(this.#db, matches);
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

  async eraseBriefEvents(beforeMs: number): Promise<void> {
    for (const person of this.#persons) {
      for (;;) {
        const events = await briefEventsOf(this.#db, person, beforeMs);
        if (events.length === 0) break;
        await this.erase(events);
        await setImmediate();
      }
    }
  }

  async rebuildIssues(): Promise<void> {
    for (const issueId of this.#issues) {
      await rebuildIssue(this.#db, issueId);
      await setImmediate();
    }
  }
}

/** Deletes the next feedback that a rule matches; feedback of an erased event is already deleted with the event. */
async function eraseFeedback(
  db: Database,
  rule: ErasureRule,
  afterId: number,
): Promise<{ readonly feedback: number; readonly next: number | null }> {
  const rows = await db
    .selectFrom('feedback')
    .select(['id', 'received_ms', 'feedback_id', 'event_id', 'name', 'contact'])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(FEEDBACK_ROWS)
    .execute();
  const ids = rows.filter((row) => isErased([rule], subjectOf(row))).map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom('feedback').where('id', 'in', ids).execute();
  return { feedback: ids.length, next: rows.length < FEEDBACK_ROWS ? null : (rows.at(-1)?.id ?? null) };
}

function subjectOf(row: {
  readonly received_ms: number;
  readonly feedback_id: string;
  readonly event_id: string | null;
  readonly name: string | null;
  readonly contact: string | null;
}) {
  return {
    receivedMs: row.received_ms,
    eventIds: [row.feedback_id, row.event_id ?? ''],
    names: () => [row.name ?? '', row.contact ?? ''],
  };
}
