import { inSizes, runCompiled } from '../db/compiled-query.ts';
import type { HourSource, StoreTables, StoreTransaction } from '../db/schema.ts';
import { BROWSER_HOURS, REPORT_HOURS, SERVER_HOURS } from '../issues/hour-sources.ts';
import { hourOf } from '../../time/iso.ts';
import type { NewEvent } from './new-rows.ts';

type HourRow = StoreTables['project_hour'];

/** Counts events by hour, project and source: the trend reads no issues. Erasure and deletion of issues leave the counts. */
export async function countProjectHours(trx: StoreTransaction, events: readonly NewEvent[]): Promise<void> {
  for (const part of inSizes(rowsOf(events))) {
    const parameters = part.flatMap((row) => Object.values(row));
    await runCompiled(trx, `project hours ${part.length}`, parameters, () =>
      trx
        .insertInto('project_hour')
        .values(part)
        .onConflict((conflict) =>
          conflict
            .columns(['hour_ms', 'project_id', 'source', 'spool'])
            .doUpdateSet((row) => ({ events: row('project_hour.events', '+', row.ref('excluded.events')) })),
        ),
    );
  }
}

/** Returns the rows in the order of their keys: see writeRows. */
function rowsOf(events: readonly NewEvent[]): readonly HourRow[] {
  const rows = new Map<string, HourRow>();
  for (const event of events) {
    const { projectId: project_id, spool } = event;
    const key = { hour_ms: hourOf(event.occurredMs), project_id, source: sourceOf(event), spool };
    const name = Object.values(key).join(' ');
    rows.set(name, { ...key, events: (rows.get(name)?.events ?? 0) + 1 });
  }
  return [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

function sourceOf({ kind, isReport }: NewEvent): HourSource {
  if (isReport) return REPORT_HOURS;
  return kind === 'browser' ? BROWSER_HOURS : SERVER_HOURS;
}
