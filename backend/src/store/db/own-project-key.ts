import { randomBytes } from 'node:crypto';
import type { QueryContext } from './query-context.ts';

const OWN_PROJECT_KEY = 'own_project_key';
/** A DSN's public key is 32 hex digits. */
const KEY_BYTES = 16;

/**
 * Returns the public key of Errata's own project, 32 hex digits. The first replica that asks creates it; all replicas
 * get the same.
 */
export async function ownProjectKey({ db }: QueryContext): Promise<string> {
  const made = { name: OWN_PROJECT_KEY, value: randomBytes(KEY_BYTES).toString('hex') };
  await db
    .insertInto('setting')
    .values(made)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { value } = await db
    .selectFrom('setting')
    .select('value')
    .where('name', '=', OWN_PROJECT_KEY)
    .executeTakeFirstOrThrow();
  return value;
}
