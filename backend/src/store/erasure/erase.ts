import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { hourOf } from '../../time/iso.ts';
import { retainFacts } from '../retention/retain-facts.ts';
import type { Database, Flavor } from '../db/schema.ts';
import { forgetDeletedTexts } from '../db/sqlite/text-index.ts';
import { type DoomedEvent, type ErasedRows, eraseEvents } from './erase-events.ts';
import { eraseFeedback } from './erase-feedback.ts';
import { emptiedIssues, type EmptiedIssues, eraseFactsOf } from './emptied-issues.ts';
import type { ErasureRule } from '../erasure-rules/erasure-rule.ts';
import { finishRule } from '../erasure-rules/erasure-rules.ts';
import { briefEventsOf, matchingEvents } from './find-matches.ts';
import { erasePersonFacts, type ForgottenPeople } from './person-facts.ts';
import { rebuildIssue } from './rebuild-issue.ts';

/**
 * Forgets what a rule says: in steps of a few milliseconds, between which look-ups and ingest have their turn. Safe to
 * do again, from the beginning, where it was cut off.
 */
export async function erase(
  { db, flavor, now }: { readonly db: Database; readonly flavor: Flavor; readonly now: () => number },
  rule: ErasureRule,
): Promise<ErasedRows> {
  const erased = new Erased(db);
  for (let after: number | null = 0; after !== null;) {
    const step = await matchingEvents(db, rule, after);
    await erased.take(step.events);
    after = step.next;
    // The embedded database is synchronous: without this no other request gets its turn.
    await setImmediate();
  }
  if (rule.kind === 'user') await forgetPerson(db, rule, erased);
  if (rule.kind === 'before') await forgetBefore(db, Number(rule.value), erased);
  for (let after: number | null = 0; after !== null;) {
    const step = await eraseFeedback(db, rule, after);
    erased.feedback += step.feedback;
    after = step.next;
    await setImmediate();
  }
  await erased.retell();
  await finishRule(db, rule.id, now());
  if (flavor === 'sqlite') await cleanFile(db);
  return { events: erased.events, feedback: erased.feedback };
}

/** What was deleted still stands in the index of texts, and in the log of the file until that is written back and cut. */
async function cleanFile(db: Database): Promise<void> {
  await forgetDeletedTexts(db);
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
}

async function forgetPerson(db: Database, rule: ErasureRule, erased: Erased): Promise<void> {
  await erased.takeBriefs(rule.atMs);
  for (let after: string | null = ''; after !== null;) {
    const step: ForgottenPeople = await erasePersonFacts(db, rule, after);
    erased.retellLater(step.issueIds);
    after = step.next;
    await setImmediate();
  }
}

/**
 * What is left of events that retention took before. A fact knows the hour it was last seen: of that in which the time
 * lies, those go that no event is left to have told of.
 */
async function forgetBefore(db: Database, beforeMs: number, erased: Erased): Promise<void> {
  await retainFacts(db, hourOf(beforeMs));
  for (let after: number | null = 0; after !== null;) {
    const step: EmptiedIssues = await emptiedIssues(db, beforeMs, after);
    await eraseFactsOf(db, step.issueIds, beforeMs);
    erased.retellLater(step.issueIds);
    after = step.next;
    await setImmediate();
  }
}

/** What has gone so far, and whom and what it was about. */
class Erased {
  events = 0;
  feedback = 0;
  readonly #db: Database;
  readonly #issues = new Set<number>();
  readonly #people = new Set<string>();

  constructor(db: Database) {
    this.#db = db;
  }

  async take(matches: readonly DoomedEvent[]): Promise<void> {
    const { events, feedback } = await eraseEvents(this.#db, matches);
    this.events += events;
    this.feedback += feedback;
    for (const { issue_id: issueId, person } of matches) {
      this.#issues.add(issueId);
      if (person !== null) this.#people.add(person);
    }
  }

  /** Issues that tell of what is gone without any event of theirs having gone now. */
  retellLater(issueIds: readonly number[]): void {
    for (const id of issueIds) this.#issues.add(id);
  }

  async takeBriefs(beforeMs: number): Promise<void> {
    for (const person of this.#people) {
      for (;;) {
        const briefs = await briefEventsOf(this.#db, person, beforeMs);
        if (briefs.length === 0) break;
        await this.take(briefs);
        await setImmediate();
      }
    }
  }

  async retell(): Promise<void> {
    for (const issueId of this.#issues) {
      await rebuildIssue(this.#db, issueId);
      await setImmediate();
    }
  }
}
