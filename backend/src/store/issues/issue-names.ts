import type { OperandValueExpressionOrList } from 'kysely';
import type { Database, Tables } from '../db/schema.ts';
import { type IssueRow, selectIssues } from './read-issues.ts';

/** An issue, and the key of the digest it was found by: its own, or that of another version of the grouping. */
export type Named = IssueRow & { readonly named_key: string };

/**
 * The issues that a digest names, newest first, by whichever version (docs/decisions/007). An issue stands there twice
 * where a prefix fits two of its digests.
 *
 * A join with the union of two index ranges: an `or` over both tables is a walk through all issues in PostgreSQL.
 *
 * @param end of the range that begins with `from`; without it exactly `from`.
 */
export function namedIssues(db: Database, column: 'digest' | 'digest_key', from: string, end?: string) {
  const names = db
    .selectFrom('issue')
    .select(['id', 'digest_key'])
    .where(column, end === undefined ? '=' : '>=', from)
    .$if(end !== undefined, (query) => query.where(column, '<', end ?? from))
    .unionAll(
      db
        .selectFrom('issue_alias')
        .select(['issue_id as id', 'digest_key'])
        .where(column, end === undefined ? '=' : '>=', from)
        .$if(end !== undefined, (query) => query.where(column, '<', end ?? from)),
    );
  return selectIssues(db)
    .innerJoin(names.as('named'), 'named.id', 'issue.id')
    .select('named.digest_key as named_key')
    .orderBy('issue.last_seen_ms', 'desc');
}

/** Rows behind a list that are looked at, to show the newest of them: what strangers can add to has an end. */
export const MAX_LOOKED_AT = 1_000;

type Digests = OperandValueExpressionOrList<Tables, 'issue' | 'issue_alias', 'digest'>;

/** Ids of the issues that go by one of these digests, as people see them. */
export function idsNamed(db: Database, digests: Digests) {
  return db
    .selectFrom('issue')
    .select('id')
    .where('digest', 'in', digests)
    .union(db.selectFrom('issue_alias').select('issue_id as id').where('digest', 'in', digests));
}

/** Ids of the browser's issues whose events named one of these digests as the server's. */
export function idsNaming(
  db: Database,
  digests: OperandValueExpressionOrList<Tables, 'issue_relation', 'digest'>,
) {
  return db
    .selectFrom('issue_relation')
    .select('issue_id as id')
    .where('digest', 'in', digests)
    .limit(MAX_LOOKED_AT);
}

/** All digests an issue goes by, as people see them. */
export function digestsOf(db: Database, issueId: number) {
  return db
    .selectFrom('issue')
    .select('digest')
    .where('id', '=', issueId)
    .union(db.selectFrom('issue_alias').select('digest').where('issue_id', '=', issueId))
    .limit(MAX_LOOKED_AT);
}
