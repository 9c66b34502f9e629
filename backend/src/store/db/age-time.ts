import type { QueryContext } from './query-context.ts';

const AGES_MEASURED = 'ages_measured_ms';

/** Returns the latest time that ages were measured at, ms; else that of the newest event; null where there is neither. */
export async function agesMeasuredMs({ db }: QueryContext): Promise<number | null> {
  const measured = db.selectFrom('counter').select('value').where('name', '=', AGES_MEASURED);
  const saved = await measured.executeTakeFirst();
  if (saved !== undefined) return saved.value;
  const newest = db.selectFrom('event').select('received_ms').orderBy('received_ms', 'desc').limit(1);
  return (await newest.executeTakeFirst())?.received_ms ?? null;
}

/** Saves the time that ages were measured at, unless this or another replica has measured them at a later one. */
export async function saveAgesMeasured({ db }: QueryContext, ms: number): Promise<void> {
  await db
    .insertInto('counter')
    .values({ name: AGES_MEASURED, value: ms })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: ms }).where('counter.value', '<', ms),
    )
    .execute();
}
