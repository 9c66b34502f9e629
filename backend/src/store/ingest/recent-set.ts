/**
 * What was told of last, within a bound: two generations, of which the older one goes when the younger is full. Whatever
 * is asked for stays. Cheaper than a list of uses: there is nothing to write for most of what is asked.
 */
export class Recent<Value> {
  readonly #maxEntries: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: Value): void {
    if (this.#young.size >= this.#maxEntries / 2) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
