import type { StoreTransaction } from '../db/schema.ts';
import type { Memories } from './ingest-memory.ts';
import type { NewEvent } from './new-rows.ts';

/** Notes the releases that are new: of two, the one that was seen first later is the later one. */
export async function noteReleases(
  trx: StoreTransaction,
  events: readonly NewEvent[],
  { memory, learned }: Memories,
): Promise<void> {
  const rows = new Map<string, { project_id: number; name: string; first_seen_ms: number }>();
  for (const { projectId, release, receivedMs } of events) {
    const key = `${projectId} ${release}`;
    if (release === null || memory.releases.get(key) === true) continue;
    const earlier = rows.get(key)?.first_seen_ms ?? receivedMs;
    rows.set(key, { project_id: projectId, name: release, first_seen_ms: Math.min(earlier, receivedMs) });
  }
  if (rows.size === 0) return;
  const inOrder = [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1));
  await trx
    .insertInto('release')
    .values(inOrder.map(([, row]) => row))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  for (const [key] of inOrder) learned.note(memory.releases, key, true);
}
