import { hash } from 'node:crypto';

/** 32-bit words of a fingerprint: half of a SHA-256, of which nobody can make two alike. */
const WORDS = 4;
const FIRST_CAPACITY = 1_024;

/** What stands for a key in memory. */
export type Fingerprint = Uint32Array;

export function fingerprintOf(key: string): Fingerprint {
  // As a text: a Buffer for each would cost three times as much.
  const digest = hash('sha256', key, 'latin1');
  const words = new Uint32Array(WORDS);
  for (let at = 0; at < WORDS * 4; at += 1) {
    words[at >> 2] = word(words, at >> 2) | (digest.charCodeAt(at) << ((at & 3) * 8));
  }
  return words;
}

/**
 * A set of keys that forgets the oldest first, at 24 bytes a key where a Set of strings takes over a hundred: with the
 * 100,000 keys of a long outage that is what the heap grows by.
 *
 * A ring of fingerprints in their order, and a hash table of open addressing that says where in the ring one stands;
 * the table is twice as long as the ring.
 */
export class RecentKeys {
  #capacity = FIRST_CAPACITY;
  #ring = new Uint32Array(FIRST_CAPACITY * WORDS);
  /** Place in the ring, plus one; 0 is free. */
  #table = new Uint32Array(FIRST_CAPACITY * 2);
  #first = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(key: Fingerprint): boolean {
    return this.#table[this.#slotOf(key, 0)] !== 0;
  }

  /** Adds a key that is not there yet. */
  add(key: Fingerprint): void {
    if (this.#size === this.#capacity) this.#grow();
    const place = (this.#first + this.#size) % this.#capacity;
    this.#ring.set(key, place * WORDS);
    this.#table[this.#slotOf(key, 0)] = place + 1;
    this.#size += 1;
  }

  /** Forgets so many, the oldest first. */
  drop(count: number): void {
    for (let left = Math.min(count, this.#size); left > 0; left -= 1) {
      this.#free(this.#slotOf(this.#ring, this.#first * WORDS));
      this.#first = (this.#first + 1) % this.#capacity;
      this.#size -= 1;
    }
  }

  /** The slot of the fingerprint at `words[at]`, or the free one where it would stand. */
  #slotOf(words: Uint32Array, at: number): number {
    const table = this.#table;
    const ring = this.#ring;
    const mask = table.length - 1;
    for (let slot = word(words, at) & mask; ; slot = (slot + 1) & mask) {
      const place = word(table, slot);
      if (place === 0) return slot;
      const from = (place - 1) * WORDS;
      let same = 0;
      while (same < WORDS && ring[from + same] === words[at + same]) same += 1;
      if (same === WORDS) return slot;
    }
  }

  /** Frees a slot and moves up those that would be looked for beyond it (Knuth, TAOCP 3, 6.4, algorithm R). */
  #free(slot: number): void {
    const table = this.#table;
    const mask = table.length - 1;
    let free = slot;
    for (let next = (slot + 1) & mask; ; next = (next + 1) & mask) {
      const place = word(table, next);
      if (place === 0) break;
      const home = word(this.#ring, (place - 1) * WORDS) & mask;
      if (((next - home) & mask) < ((next - free) & mask)) continue;
      table[free] = place;
      free = next;
    }
    table[free] = 0;
  }

  #grow(): void {
    const old = this.#ring;
    const capacity = this.#capacity;
    this.#ring = new Uint32Array(old.length * 2);
    // The oldest first again.
    this.#ring.set(old.subarray(this.#first * WORDS));
    this.#ring.set(old.subarray(0, this.#first * WORDS), (capacity - this.#first) * WORDS);
    this.#capacity = capacity * 2;
    this.#first = 0;
    this.#table = new Uint32Array(this.#capacity * 2);
    for (let place = 0; place < this.#size; place += 1)
      this.#table[this.#slotOf(this.#ring, place * WORDS)] = place + 1;
  }
}

function word(words: Uint32Array, at: number): number {
  return words[at] ?? 0;
}
