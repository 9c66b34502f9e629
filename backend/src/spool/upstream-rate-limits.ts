import type { RateLimit } from '../envelope/rate-limits.ts';
import type { ProjectLimits } from './protocol/spool-messages.ts';
import { unmovedWallMs } from '../time/monotonic-clock.ts';

/**
 * Holds the rate limits of the upstreams by project. Keeps the longer of two limits for a category. Expired limits are
 * removed on the next read.
 */
export class UpstreamRateLimits {
  readonly #now: () => number;
  readonly #byProject = new Map<string, readonly RateLimit[]>();

  /** @param now wall clock that does not jump, ms since the epoch. */
  constructor(now: () => number = unmovedWallMs) {
    this.#now = now;
  }

  /** Returns the active limits of a project; usually none. */
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
