import type { Spool } from '../spool/spool.ts';

/**
 * Whether this process should get requests. States: starting -> ready <-> unwritable -> draining (for good).
 *
 * An upstream outage is no reason to be unready: intake still works, and taking every replica out of service
 * because the error service is down would turn an outage of reports into one of the product.
 */
export class Readiness {
  readonly #spool: Spool;
  #isStarted = false;
  #isDraining = false;

  constructor(spool: Spool) {
    this.#spool = spool;
  }

  started(): void {
    this.#isStarted = true;
  }

  drain(): void {
    this.#isDraining = true;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** `ready`, or why not. */
  get state(): 'starting' | 'ready' | 'unwritable' | 'draining' {
    if (this.#isDraining) return 'draining';
    if (!this.#isStarted) return 'starting';
    return this.#spool.isWritable ? 'ready' : 'unwritable';
  }
}
