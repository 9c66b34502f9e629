import { sql } from 'kysely';
import type { IssueAnswer, IssueSummary, SameIssue } from '../../contract/issues-api.ts';
import { RELEASE_FACT } from '../event/fact-forms.ts';
import { lineOf } from '../issues/page-line.ts';
import { notesOf } from '../issues/notes.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';
import type { StoredDetail } from './event-detail.ts';
import { newestEvent } from './events.ts';
import { feedbackOfIssue } from './feedback-list.ts';
import { historyOf } from '../issues/issue-hours.ts';
import { idsNamed, idsNaming, MAX_ROWS_READ, unconfirmedKey } from '../issues/issue-names.ts';
import { headOf, nameOf, type IssueRow, selectIssues, summariesOf } from '../issues/read-issues.ts';

/** Most related issues of an answer. */
const MAX_RELATED = 20;
const MAX_RELEASES = 20;

/** The answer without what the store does not know: the delivery status of its event, and which project has error pages. */
export interface StoredAnswer extends Omit<IssueAnswer, 'latest' | 'pageLine'> {
  readonly latest: StoredDetail | null;
  /** '' for none; null where no page can show one. */
  readonly pageLine: string | null;
}

export async function answerOf(context: QueryContext, issue: IssueRow): Promise<StoredAnswer> {
  const { db } = context;
  const nowMs = context.now();
  return {
    ...headOf(issue),
    ...(await historyOf(db, issue.id, nowMs)),
    firstRelease: issue.first_release,
    releases: await releasesOf(db, issue),
    related: await relatedOf(db, issue, nowMs),
    latest: (await newestEvent(context, issue.id)) ?? null,
    feedback: await feedbackOfIssue(db, issue.id),
    notes: await notesOf(db, issue.id),
    pageLine: lineOf(issue),
    alsoIn: await elsewhere(db, issue),
  };
}

/** Returns the releases of an issue, the one that was first seen last at the beginning. */
async function releasesOf(db: Database, issue: IssueRow): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('issue_fact')
    .leftJoin('release', (join) =>
      join.onRef('release.name', '=', 'issue_fact.value').on('release.project_id', '=', issue.project_id),
    )
    .select('issue_fact.value')
    .where('issue_fact.issue_id', '=', issue.id)
    .where('issue_fact.kind', '=', RELEASE_FACT)
    .orderBy(sql`coalesce(release.first_seen_ms, 0)`, 'desc')
    .orderBy('issue_fact.value', 'desc')
    .limit(MAX_RELEASES)
    .execute();
  return rows.map(({ value }) => value);
}

/**
 * Returns the other issues of the same error: in other projects, and of its events of the other kind. A digest shows only a
 * part of the key, so issues of other errors may have it, too.
 */
async function elsewhere(db: Database, issue: IssueRow): Promise<readonly SameIssue[]> {
  const rows = await selectIssues(db)
    .where('issue.digest', '=', issue.digest)
    .where('issue.id', '<>', issue.id)
    .orderBy('issue.last_seen_ms', 'desc')
    .limit(MAX_ROWS_READ)
    .execute();
  const keys = keysOfError(issue);
  return rows
    .filter((row) => keysOfError(row).some((key) => keys.includes(key)))
    .slice(0, MAX_RELATED)
    .map((row) => ({ ...nameOf(row), isConfirmed: row.is_confirmed === 1, events: row.events }));
}

/** Two issues of one error have one of these keys in common. */
function keysOfError({ digest_key: key }: IssueRow): readonly string[] {
  return [key, unconfirmedKey(key)];
}

/** Returns the server issues that this issue's events named, and the browser issues whose events named this one. */
async function relatedOf(db: Database, issue: IssueRow, nowMs: number): Promise<readonly IssueSummary[]> {
  const named = await selectIssues(db)
    .where(
      'issue.id',
      'in',
      idsNamed(
        db,
        db
          .selectFrom('issue_relation')
          .select('digest')
          .where('issue_id', '=', issue.id)
          .limit(MAX_ROWS_READ),
      ),
    )
    .orderBy('issue.last_seen_ms', 'desc')
    .limit(MAX_RELATED)
    .execute();
  const naming = await selectIssues(db)
    .where('issue.id', 'in', idsNaming(db, issue.digest))
    .orderBy('issue.last_seen_ms', 'desc')
    .limit(MAX_RELATED)
    .execute();
  const related = new Map([...named, ...naming].map((row) => [row.id, row]));
  related.delete(issue.id);
  return summariesOf(db, [...related.values()], nowMs);
}
