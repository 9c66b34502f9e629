import { busySeconds, OTHER_CORE, SERVER_CORE } from '../cores.ts';
import { descendants } from '../proc.ts';

/** Share of the core above which the work of other processes is measured, too. */
const MAX_FOREIGN_CPU = 0.1;

/** Time and CPU of a measured piece of work. */
export interface Span {
  readonly seconds: number;
  /** CPU seconds of this process and of the server it started. */
  readonly ownCpu: number;
  readonly serverCpu: number;
  /** Whether others worked on a core too, so that the time is not the work's own. */
  readonly isVoid: boolean;
}

/** Starts a clock and returns its reader. This process has one core, a server that it has started the other. */
export function startClock(): () => Span {
  const from = read();
  return () => {
    const to = read();
    const seconds = to.seconds - from.seconds;
    const ownCpu = to.own - from.own;
    const serverCpu = Math.max(0, to.server - from.server);
    const beside = to.ownCore - from.ownCore - ownCpu;
    const besideServer = to.hasServer ? to.serverCore - from.serverCore - serverCpu : 0;
    const isVoid = Math.max(beside, besideServer) / seconds > MAX_FOREIGN_CPU;
    return { seconds, ownCpu, serverCpu, isVoid };
  };
}

function read() {
  const { user, system } = process.cpuUsage();
  const started = [...descendants(process.pid).values()];
  return {
    seconds: performance.now() / 1000,
    own: (user + system) / 1e6,
    server: started.reduce((sum, seconds) => sum + seconds, 0),
    hasServer: started.length > 0,
    ownCore: busySeconds(OTHER_CORE),
    serverCore: busySeconds(SERVER_CORE),
  };
}

/** Questions of users, each asked many times with other values. */
export interface Question {
  readonly what: string;
  /** p95 in ms; null: printed without a target. */
  readonly targetMs: number | null;
  readonly count: number;
  readonly ask: (index: number) => Promise<unknown>;
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
  static async of({ count, ask }: Question): Promise<Times> {
    const stop = startClock();
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const startedAtMs = performance.now();
      await ask(index);
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
