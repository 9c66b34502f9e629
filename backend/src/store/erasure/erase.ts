import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { hourOf } from '../../time/iso.ts';
import { retainFacts } from '../retention/retain-facts.ts';
import type { Database, Flavor } from '../db/schema.ts';
import { purgeDeletedTexts } from '../db/sqlite/text-index.ts';
import { type ErasedRows, eraseEvents, type MatchingEvent } from './erase-events.ts';
import { eraseFeedback } from './erase-feedback.ts';
import { emptiedIssues, type EmptiedStep, eraseFactsOf } from './emptied-issues.ts';
import type { ErasureRule } from '../erasure-rules/erasure-rule.ts';
import { finishRule } from '../erasure-rules/erasure-rules.ts';
import { briefEventsOf, matchingEvents } from './find-matches.ts';
import { erasePersonFacts, type PersonFactStep } from './person-facts.ts';
import { rebuildIssue } from './rebuild-issue.ts';

/**
 * Erases the rows that a rule matches, in steps of a few milliseconds, between which look-ups and ingest run. May be run
 * again from the beginning after an interruption.
 *
 * store/erasure/ deletes the data of erasure rules. It must never delete a count, and never finish a rule while a title,
 * a search text or a fact can still quote a deleted row.
 */
export async function erase(
  { db, flavor, now }: { readonly db: Database; readonly flavor: Flavor; readonly now: () => number },
  rule: ErasureRule,
): Promise<ErasedRows> {
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
  for (let after: string | null = ''; after !== null;) {
    const step: PersonFactStep = await erasePersonFacts(db, rule, after);
    erasure.addIssues(step.issueIds);
    after = step.next;
    await setImmediate();
  }
}

/**
 * Erases what is left of events that retention deleted before. A fact has the hour it was last seen: of the hour that
 * contains the time, the facts of issues without events are deleted.
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
