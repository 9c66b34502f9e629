import type { DatabaseSync } from 'node:sqlite';

/**
 * A number this spool goes by, made at random with the file. Whoever remembers that something came through this spool
 * can conclude from its absence that it was settled; that is over when rows were lost, so the spool is another one then.
 */
export function identityOf(database: DatabaseSync, hasLostRows: boolean): number {
  if (hasLostRows) database.exec("DELETE FROM sequence WHERE name = 'identity'");
  // 47 bits: a safe integer in JavaScript, and no two replicas have the same by chance.
  database.exec(
    "INSERT INTO sequence (name, value) VALUES ('identity', random() & 0x7fffffffffff) ON CONFLICT DO NOTHING",
  );
  return Number(database.prepare("SELECT value FROM sequence WHERE name = 'identity'").get()?.['value']);
}
