import { randomBytes } from 'node:crypto';
import type { QueryContext } from './query-context.ts';

/** Keys that Errata makes: the public key of its own project, and the key from which the server keys are derived. */
export type KeyName = 'own_project_key' | 'server_key';

/** A DSN's public key is 32 hex digits. */
const KEY_BYTES = 16;

/**
 * Returns a key, 32 hex digits. The first replica that asks creates it; all replicas get the same.
 *
 * @param copy becomes the key of a database that has none, because the old one was lost: applications hold DSNs with it.
 */
export async function storedKey({ db }: QueryContext, name: KeyName, copy?: string): Promise<string> {
  const made = { name, value: copy ?? randomBytes(KEY_BYTES).toString('hex') };
  await db
    .insertInto('setting')
    .values(made)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { value } = await db
    .selectFrom('setting')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return value;
}
