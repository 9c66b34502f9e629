import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';

interface StoredState {
  readonly id: string;
  /** Messages that wait: a summary is one. */
  readonly waiting: number;
  /** Time of the last message that was accepted. */
  readonly sentMs: number | null;
  /** Null if the last message was accepted. */
  readonly failed: { readonly sinceMs: number; readonly attempts: number; readonly reason: string } | null;
}

/** Returns the state of each target. Each query reads an index of a target's own rows, because an open page repeats them. */
export function alertStates({ db }: QueryContext, ids: readonly string[]): Promise<readonly StoredState[]> {
  return Promise.all(ids.map((id) => stateOf(db, id)));
}

async function stateOf(db: Database, id: string): Promise<StoredState> {
  const rows = db.selectFrom('alert').where('target', '=', id);
  const { waiting } = await rows
    .select((row) => row.fn.countAll<number>().as('waiting'))
    .where('due_ms', 'is not', null)
    .executeTakeFirstOrThrow();
  const sent = await rows
    .select(['tried_ms', 'sent_ms'])
    .where('sent_ms', 'is not', null)
    .orderBy('tried_ms', 'desc')
    .limit(1)
    .executeTakeFirst();
  const failures = rows.where('tried_ms', '>', sent?.tried_ms ?? 0).where('reason', 'is not', null);
  const last = await failures
    .select(['attempts', 'reason'])
    .orderBy('tried_ms', 'desc')
    .orderBy('attempts', 'desc')
    .limit(1)
    .executeTakeFirst();
  const { oldestMs } = await failures
    .select((row) => row.fn.min('created_ms').as('oldestMs'))
    .executeTakeFirstOrThrow();
  const sentMs = sent?.sent_ms ?? null;
  const failed =
    last?.reason == null
      ? null
      : // The limit may have delayed the message.
        { sinceMs: Math.max(oldestMs, sentMs ?? 0), attempts: last.attempts, reason: last.reason };
  return { id, waiting, sentMs, failed };
}
