interface Wait<Result> {
  readonly bytes: number;
  readonly resolve: (result: Result) => void;
}

/** Bodies that wait for memory, the first one first, each for a limited time. */
export class BodyLine<Body, Result> {
  readonly #waitMs: number;
  readonly #waits = new Map<Body, Wait<Result>>();

  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  get size(): number {
    return this.#waits.size;
  }

  get first(): Body | undefined {
    const [first] = this.#waits.keys();
    return first;
  }

  /** Returns the bytes that a body waits for; undefined if it does not wait. */
  bytesOf(body: Body): number | undefined {
    return this.#waits.get(body)?.bytes;
  }

  /** Has a body wait until {@link end}. @param onTimeout returns how a wait ends that was too long. */
  wait(body: Body, bytes: number, onTimeout: () => Result): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<Result>();
    this.#waits.set(body, { bytes, resolve });
    const timeout = setTimeout(() => this.end(body, onTimeout()), this.#waitMs);
    return promise.finally(() => clearTimeout(timeout));
  }

  /** Ends the wait of a body. Does nothing with one that does not wait. */
  end(body: Body, result: Result): void {
    this.#waits.get(body)?.resolve(result);
    this.#waits.delete(body);
  }
}
