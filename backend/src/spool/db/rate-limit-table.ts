import type { Statement, TypedDatabase } from '../../sqlite/typed-database.ts';
import type { ProjectLimits } from '../protocol/spool-messages.ts';
import type { Projects } from './projects.ts';
import { timeIn } from './spool-schema.ts';

/** Column value for all categories; a limit has an empty list for it. */
const ALL = '';

interface RateLimitRow {
  readonly project: number;
  readonly category: string;
  readonly untilMs: number;
  readonly reason: string | null;
}

/** Stores the upstreams' rate limits, so that a restarted process respects them. */
export class RateLimitTable {
  readonly #projects: Projects;
  readonly #save: Statement;
  readonly #all: Statement<RateLimitRow>;

  constructor(database: TypedDatabase, projects: Projects) {
    this.#projects = projects;
    this.#save = database.prepare(
      `INSERT INTO rate_limit (project, category, until_ms, reason) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET until_ms = max(until_ms, excluded.until_ms), reason = excluded.reason`,
    );
    this.#all = database.prepare(
      `SELECT project, category, until_ms AS untilMs, reason FROM rate_limit WHERE ${timeIn('until_ms')} > ?`,
    );
  }

  save({ project, limits }: ProjectLimits): void {
    const id = this.#projects.id(project);
    for (const { categories, untilMs, reason } of limits) {
      for (const category of categories.length === 0 ? [ALL] : categories)
        this.#save.run(id, category, untilMs, reason);
    }
  }

  /** Returns the limits that have not expired. */
  load(nowMs: number): readonly ProjectLimits[] {
    return this.#all.all(nowMs).map(({ project, category, untilMs, reason }) => ({
      project: this.#projects.dsn(project),
      limits: [{ categories: category === ALL ? [] : [category], untilMs, reason }],
    }));
  }
}
