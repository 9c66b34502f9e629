import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Projects by number: a DSN in each row would be half of the row. */
export class Projects {
  readonly #insert: StatementSync;
  readonly #find: StatementSync;
  readonly #ids = new Map<string, number>();
  readonly #dsns = new Map<number, string>();

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare('INSERT INTO project (dsn) VALUES (?) ON CONFLICT DO NOTHING');
    this.#find = database.prepare('SELECT id FROM project WHERE dsn = ?');
    const rows = database.prepare('SELECT id, dsn FROM project').all() as unknown as {
      id: number;
      dsn: string;
    }[];
    for (const { id, dsn } of rows) this.#dsns.set(id, dsn);
  }

  /** The project's number; a new one gets its row in the transaction under way. */
  id(dsn: string): number {
    const known = this.#ids.get(dsn);
    if (known !== undefined) return known;
    this.#insert.run(dsn);
    const id = this.find(dsn);
    if (id === undefined) throw new Error('the project has no row');
    this.#ids.set(dsn, id);
    this.#dsns.set(id, dsn);
    return id;
  }

  /** Its number, undefined for a project nothing was ever taken for. */
  find(dsn: string): number | undefined {
    return (this.#find.get(dsn) as unknown as { id: number } | undefined)?.id;
  }

  dsn(id: number): string {
    return this.#dsns.get(id) ?? '';
  }

  /** A transaction was rolled back: numbers given in it may not stand. */
  forget(): void {
    this.#ids.clear();
  }
}
