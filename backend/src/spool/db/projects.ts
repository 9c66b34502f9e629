import type { Statement, TypedDatabase } from '../../sqlite/typed-database.ts';

/** Maps each DSN to a number: the DSN itself would be half of each envelope row. */
export class Projects {
  readonly #insert: Statement;
  readonly #find: Statement<{ readonly id: number }>;
  readonly #ids = new Map<string, number>();
  readonly #dsns = new Map<number, string>();

  constructor(database: TypedDatabase) {
    this.#insert = database.prepare('INSERT INTO project (dsn) VALUES (?) ON CONFLICT DO NOTHING');
    this.#find = database.prepare('SELECT id FROM project WHERE dsn = ?');
    const rows = database.prepare<{ readonly id: number; readonly dsn: string }>(
      'SELECT id, dsn FROM project',
    );
    for (const { id, dsn } of rows.all()) this.#dsns.set(id, dsn);
  }

  /** Returns the project's number; a new project gets its row in the current transaction. */
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

  /** Returns its number; undefined for a project without any envelope so far. */
  find(dsn: string): number | undefined {
    return this.#find.get(dsn)?.id;
  }

  dsn(id: number): string {
    return this.#dsns.get(id) ?? '';
  }

  /** Clears the numbers in memory: the rows of some may be gone. */
  rollback(): void {
    this.#ids.clear();
  }

  mark(): () => void {
    return () => this.rollback();
  }
}
