/**
 * Reads and writes items of localStorage under a prefix: the only storage a closing page can write synchronously. It
 * never throws: when the browser refuses or the storage is full, nothing is written or found.
 */
export class PrefixedStorage {
  readonly #page: Window;
  readonly #prefix: string;

  constructor(page: Window, prefix: string) {
    this.#page = page;
    this.#prefix = prefix;
  }

  /** Returns the IDs of all items, of any page. */
  ids(): readonly string[] {
    try {
      const keys = Object.keys(this.#page.localStorage).filter((key) => key.startsWith(this.#prefix));
      return keys.map((key) => key.slice(this.#prefix.length));
    } catch {
      return [];
    }
  }

  /** Returns the item; null when it is missing or not JSON. */
  read(id: string): unknown {
    try {
      return JSON.parse(this.#page.localStorage.getItem(this.#prefix + id) ?? 'null');
    } catch {
      return null;
    }
  }

  /** @returns whether the item was written. */
  write(id: string, note: unknown): boolean {
    try {
      this.#page.localStorage.setItem(this.#prefix + id, JSON.stringify(note));
      return true;
    } catch {
      return false;
    }
  }

  remove(id: string): void {
    try {
      this.#page.localStorage.removeItem(this.#prefix + id);
    } catch {
      // A later page finds it again; the server deduplicates it by its event ID.
    }
  }
}
