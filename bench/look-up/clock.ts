import { busySeconds, OTHER_CORE } from '../cores.ts';
import { cpuOfDescendants } from '../proc.ts';

/** Above this share of the core somebody else's work is measured with it. */
const MAX_FOREIGN_CPU = 0.1;

/** What a piece of work took. */
export interface Span {
  readonly seconds: number;
  /** CPU seconds of this process and of the server it started. */
  readonly ownCpu: number;
  readonly serverCpu: number;
  /** Whether others worked on the core too, so that the time is not the work's own. */
  readonly isVoid: boolean;
}

/** Starts a clock; what it returns reads it. The benchmark and all it starts share one core. */
export function startClock(): () => Span {
  const from = read();
  return () => {
    const to = read();
    const seconds = to.seconds - from.seconds;
    const ownCpu = to.own - from.own;
    const serverCpu = Math.max(0, to.server - from.server);
    const foreign = (to.core - from.core - ownCpu - serverCpu) / seconds;
    return { seconds, ownCpu, serverCpu, isVoid: foreign > MAX_FOREIGN_CPU };
  };
}

function read() {
  const { user, system } = process.cpuUsage();
  return {
    seconds: performance.now() / 1000,
    own: (user + system) / 1e6,
    server: cpuOfDescendants(process.pid),
    core: busySeconds(OTHER_CORE),
  };
}

/** Times of single calls, in ms. */
export class Times {
  readonly #sorted: readonly number[];
  readonly isVoid: boolean;

  private constructor(times: readonly number[], isVoid: boolean) {
    this.#sorted = times.toSorted((one, other) => one - other);
    this.isVoid = isVoid;
  }

  /** One after the other, as one person asks. */
  static async of(count: number, call: (index: number) => Promise<unknown>): Promise<Times> {
    const stop = startClock();
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const startedAtMs = performance.now();
      await call(index);
      times.push(performance.now() - startedAtMs);
    }
    return new Times(times, stop().isVoid);
  }

  get count(): number {
    return this.#sorted.length;
  }

  /** The time within which this share of the calls was done. */
  at(share: number): number {
    return this.#sorted[Math.ceil(share * this.#sorted.length) - 1] ?? Number.NaN;
  }
}
