import { padded, runCompiled } from '../db/compiled-query.ts';
import type { Database } from '../db/schema.ts';
import { issueKey } from '../issues/issue-key.ts';
import { type IssueIds, issueIds } from './issue-rows.ts';
import type { DigestName, EventDigest } from '../event/event-digest.ts';

/** The issue an event belongs to, there already or to be made. */
export interface KnownIssue {
  readonly issueKey: string;
  readonly digest: DigestName;
  /** The event's digests by which it is not known yet. */
  readonly aliases: readonly DigestName[];
}

export interface KnownIssues {
  /** Of the issues that are there. */
  readonly ids: IssueIds;
  readonly issueOf: (digest: EventDigest, projectId: number) => KnownIssue;
}

/** Another version's name of an issue that is there. */
interface Alias {
  readonly issueKey: string;
  readonly issueId: number;
  readonly digest: DigestName;
}

interface Digested {
  readonly read: { readonly digest: EventDigest };
  readonly projectId: number;
}

/**
 * Looks up which issues the events of a batch belong to, whichever version of the digest named them
 * (docs/decisions/007).
 *
 * An event belongs to the issue that its digest names, itself or as an alias; else to the one that version 1 made of it;
 * else to a new one. An alias of version 1 leads nowhere by itself: two faults that only version 2 tells apart share it.
 */
export async function knownIssues(db: Database, events: readonly Digested[]): Promise<KnownIssues> {
  const names = events.flatMap(({ read: { digest }, projectId }) =>
    namesOf(digest).map(({ key }) => ({ key, issueKey: issueKey(key, projectId) })),
  );
  const own = await issueIds(
    db,
    names.map(({ key }) => key),
  );
  const missing = names.filter((name) => !own.has(name.issueKey)).map(({ key }) => key);
  const aliases = missing.length === 0 ? new Map<string, Alias>() : await aliasesOf(db, missing);
  const others = [...aliases.values()].map((alias) => [alias.issueKey, alias.issueId] as const);
  return {
    ids: new Map([...own, ...others]),
    issueOf: (digest, projectId) => issueOf(digest, projectId, own, aliases),
  };
}

function namesOf({ key, shown, earlier }: EventDigest): readonly DigestName[] {
  return [{ key, shown }, ...(earlier === null ? [] : [earlier])];
}

/** By the {@link issueKey} of the alias. */
async function aliasesOf(db: Database, digestKeys: readonly string[]): Promise<ReadonlyMap<string, Alias>> {
  const keys = padded(digestKeys);
  const { rows } = await runCompiled(db, `issue aliases ${keys.length}`, keys, () =>
    db
      .selectFrom('issue_alias')
      .innerJoin('issue', 'issue.id', 'issue_alias.issue_id')
      .select(['issue_alias.digest_key as alias', 'issue.id', 'issue.project_id'])
      .select(['issue.digest_key', 'issue.digest'])
      .where('issue_alias.digest_key', 'in', keys),
  );
  return new Map(
    rows.map((row) => [
      issueKey(row.alias, row.project_id),
      {
        issueKey: issueKey(row.digest_key, row.project_id),
        issueId: row.id,
        digest: { key: row.digest_key, shown: row.digest },
      },
    ]),
  );
}

function issueOf(
  digest: EventDigest,
  projectId: number,
  own: IssueIds,
  aliases: ReadonlyMap<string, Alias>,
): KnownIssue {
  const keyOf = ({ key }: DigestName): string => issueKey(key, projectId);
  const isOwn = (name: DigestName | null): name is DigestName => name !== null && own.has(keyOf(name));
  const names = namesOf(digest);
  const made = [digest, digest.earlier].find(isOwn) ?? digest;
  const { key, shown } = isOwn(digest) ? digest : (aliases.get(keyOf(digest))?.digest ?? made);
  return {
    issueKey: issueKey(key, projectId),
    digest: { key, shown },
    aliases: names.filter((name) => name.key !== key && !isOwn(name) && !aliases.has(keyOf(name))),
  };
}
