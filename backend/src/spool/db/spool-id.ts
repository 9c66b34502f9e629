import type { DatabaseSync } from 'node:sqlite';

/**
 * Returns the random number that identifies this spool's file. If an envelope was queued in the spool with this id and is
 * absent from it, it was settled. Lost rows break that conclusion, so the spool then gets a new id.
 */
export function identityOf(database: DatabaseSync, hasLostRows: boolean): number {
  if (hasLostRows) database.exec("DELETE FROM sequence WHERE name = 'identity'");
  // 47 bits: a safe integer in JavaScript, and large enough that two replicas do not get the same one by chance.
  database.exec(
    "INSERT INTO sequence (name, value) VALUES ('identity', random() & 0x7fffffffffff) ON CONFLICT DO NOTHING",
  );
  return Number(database.prepare("SELECT value FROM sequence WHERE name = 'identity'").get()?.['value']);
}
