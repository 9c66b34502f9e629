import type { RejectingCause } from '../spool/protocol/spool-messages.ts';
import type { Spool } from '../spool/spool.ts';

type IntakeState = Pick<Spool, 'isWritable' | 'rejecting'>;

type Phase = 'starting' | 'started' | 'draining';

/**
 * Tells whether this process should get requests. States: starting -> ready <-> unwritable; starting, ready or unwritable
 * -> draining, which is the end.
 *
 * An upstream outage must not make the process unready: intake still works, and removing every replica because the error
 * service is down would turn an outage of reports into an outage of the product. The same holds for a full disk and a full
 * spool: the process still serves the client, the error pages and the console.
 */
export class Readiness {
  readonly #spool: IntakeState;
  #phase: Phase = 'starting';

  constructor(spool: IntakeState) {
    this.#spool = spool;
  }

  /** Notes that both listeners accept requests. @throws Error in any state but starting. */
  started(): void {
    if (this.#phase !== 'starting') throw new Error(`readiness: ${this.#phase} -> started`);
    this.#phase = 'started';
  }

  drain(): void {
    this.#phase = 'draining';
  }

  get isStarted(): boolean {
    return this.#phase !== 'starting';
  }

  /** Why the tunnel refuses errors while the process is ready, or null. */
  get rejecting(): RejectingCause | null {
    return this.#spool.rejecting;
  }

  get state(): 'starting' | 'ready' | 'unwritable' | 'draining' {
    if (this.#phase !== 'started') return this.#phase;
    return this.#spool.isWritable ? 'ready' : 'unwritable';
  }
}
