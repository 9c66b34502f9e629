import type { RateLimit } from '../envelope/rate-limits.ts';
import type { ProjectLimits } from './protocol/spool-messages.ts';
import { unmovedWallMs } from '../time/monotonic-clock.ts';

/**
 * The rate limits upstreams told, by project. The longer one of two on a category holds. What ended is forgotten
 * when it is next looked at.
 */
export class UpstreamRateLimits {
  readonly #now: () => number;
  readonly #byProject = new Map<string, readonly RateLimit[]>();

  /** @param now wall clock that nobody moves, ms since the epoch. */
  constructor(now: () => number = unmovedWallMs) {
    this.#now = now;
  }

  /** Those that hold now; none for most projects most of the time. */
  of(project: string): readonly RateLimit[] {
    const limits = this.#byProject.get(project);
    if (limits === undefined) return [];
    const nowMs = this.#now();
    const holding = limits.filter(({ untilMs }) => untilMs > nowMs);
    if (holding.length === 0) this.#byProject.delete(project);
    else if (holding.length < limits.length) this.#byProject.set(project, holding);
    return holding;
  }

  add({ project, limits }: ProjectLimits): void {
    const known = new Map(this.of(project).map((limit) => [limit.categories.join(), limit]));
    for (const limit of limits) {
      const key = limit.categories.join();
      if ((known.get(key)?.untilMs ?? 0) < limit.untilMs) known.set(key, limit);
    }
    if (known.size > 0) this.#byProject.set(project, [...known.values()]);
  }
}
