import { hash } from 'node:crypto';
import type { OperandValueExpressionOrList } from 'kysely';
import type { Database, StoreTables } from '../db/schema.ts';
import { selectIssues } from './read-issues.ts';

/**
 * Selects the issues that a digest names.
 *
 * @param end end of the range that begins with `from`; without it only `from` itself matches.
 */
export function namedIssues(db: Database, column: 'digest' | 'digest_key', from: string, end?: string) {
  return selectIssues(db)
    .where(`issue.${column}`, end === undefined ? '=' : '>=', from)
    .$if(end !== undefined, (query) => query.where(`issue.${column}`, '<', end ?? from));
}

/** Most rows that are read to show the newest of them: clients can add any number. */
export const MAX_ROWS_READ = 1_000;

/** Selects the ids of the issues with one of the digests, as pages show them. */
export function idsNamed(
  db: Database,
  digests: OperandValueExpressionOrList<StoreTables, 'issue', 'digest'>,
) {
  return db.selectFrom('issue').select('id').where('digest', 'in', digests);
}

/** Selects the ids of the browser issues whose events named this digest as the server's. */
export function idsNaming(db: Database, digest: string) {
  return db
    .selectFrom('issue_relation')
    .select('issue_id as id')
    .where('digest', '=', digest)
    .limit(MAX_ROWS_READ);
}

/**
 * Makes the digest key of the issue that counts the unconfirmed events of an error, beside the one of its confirmed events.
 *
 * @param digestKey that of the error.
 */
export function unconfirmedKey(digestKey: string): string {
  return hash('sha256', `errata-digest/unconfirmed\n${digestKey}`, 'hex');
}

/** Makes the key of an issue: a digest (SHA-256, 64 hex digits) within a project. */
export function issueKey(digestKey: string, projectId: number): string {
  return `${digestKey} ${projectId}`;
}
