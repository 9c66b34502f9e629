import { padded, runCompiled } from '../db/compiled-query.ts';
import { hourOf } from '../../time/iso.ts';
import type { StoreTransaction } from '../db/schema.ts';
import type { IngestCache, TransactionCache } from './ingest-cache.ts';
import { type IssueIds, issueIdOf } from './issue-rows.ts';
import { fingerprintOf } from '../event/issue-text.ts';
import type { NewEvent } from './new-rows.ts';

interface TextRow {
  readonly issue_id: number;
  readonly body: string;
  readonly fingerprint: string;
  readonly hourMs: number;
}

/**
 * Writes the search text of each issue from its newest full event. Indexing a text takes longer than storing an event:
 * an issue's text is compared once an hour, and written only when more than its numbers changed.
 */
export async function writeTexts(
  trx: StoreTransaction,
  events: readonly NewEvent[],
  ids: IssueIds,
  { cache, changes }: TransactionCache,
): Promise<void> {
  const rows = textRows(events, ids, cache);
  if (rows.length === 0) return;
  const known = await fingerprints(trx, rows, cache);
  for (const { hourMs, ...row } of rows) {
    if (known.get(row.issue_id) !== row.fingerprint) await writeText(trx, row);
    changes.add(cache.texts, String(row.issue_id), { hourMs, fingerprint: row.fingerprint });
  }
}

/** Returns the texts to compare, in the order of the issues' ids. */
function textRows(events: readonly NewEvent[], ids: IssueIds, cache: IngestCache): readonly TextRow[] {
  const whole = events.filter(({ text }) => text !== null);
  const rows: TextRow[] = [];
  for (const [issueKey, group] of Map.groupBy(whole, (event) => event.issueKey)) {
    const newest = group.reduce((last, event) => (event.occurredMs >= last.occurredMs ? event : last));
    const hourMs = hourOf(newest.receivedMs);
    const id = issueIdOf(ids, issueKey);
    if ((cache.texts.get(String(id))?.hourMs ?? -Infinity) >= hourMs) continue;
    const body = newest.text?.() ?? '';
    rows.push({ issue_id: id, body, fingerprint: fingerprintOf(body), hourMs });
  }
  return rows.toSorted((one, other) => one.issue_id - other.issue_id);
}

async function fingerprints(
  trx: StoreTransaction,
  texts: readonly TextRow[],
  cache: IngestCache,
): Promise<ReadonlyMap<number, string>> {
  const known = new Map<number, string>();
  for (const { issue_id: id } of texts) {
    const fingerprint = cache.texts.get(String(id))?.fingerprint;
    if (fingerprint !== undefined) known.set(id, fingerprint);
  }
  const ids = padded(texts.map((row) => row.issue_id).filter((id) => !known.has(id)));
  if (ids.length === 0) return known;
  const { rows } = await runCompiled(trx, `texts ${ids.length}`, ids, () =>
    trx.selectFrom('issue_text').select(['issue_id', 'fingerprint']).where('issue_id', 'in', ids),
  );
  for (const row of rows) known.set(row.issue_id, row.fingerprint);
  return known;
}

async function writeText(
  trx: StoreTransaction,
  row: Pick<TextRow, 'issue_id' | 'body' | 'fingerprint'>,
): Promise<void> {
  const { issue_id: issueId, body, fingerprint } = row;
  await runCompiled(trx, 'text', [issueId, body, fingerprint], () =>
    trx
      .insertInto('issue_text')
      .values({ issue_id: issueId, body, fingerprint })
      .onConflict((conflict) =>
        conflict.column('issue_id').doUpdateSet((to) => ({
          body: to.ref('excluded.body'),
          fingerprint: to.ref('excluded.fingerprint'),
        })),
      ),
  );
}
