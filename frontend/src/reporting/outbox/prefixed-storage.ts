/**
 * Notes in localStorage under a prefix: the only place a page can write to without waiting, so what a page that ends
 * leaves to the next one. It never throws: where the browser refuses, or is full, nothing is written and nothing found.
 */
export class PrefixedStorage {
  readonly #page: Window;
  readonly #prefix: string;

  constructor(page: Window, prefix: string) {
    this.#page = page;
    this.#prefix = prefix;
  }

  /** Of all notes, whichever page wrote them. */
  ids(): readonly string[] {
    try {
      const keys = Object.keys(this.#page.localStorage).filter((key) => key.startsWith(this.#prefix));
      return keys.map((key) => key.slice(this.#prefix.length));
    } catch {
      return [];
    }
  }

  /** The note as it was written; null where there is none, or no JSON. */
  read(id: string): unknown {
    try {
      return JSON.parse(this.#page.localStorage.getItem(this.#prefix + id) ?? 'null');
    } catch {
      return null;
    }
  }

  /** @returns whether it is written. */
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
      // A later page finds it once more; the server knows it by its event id.
    }
  }
}
