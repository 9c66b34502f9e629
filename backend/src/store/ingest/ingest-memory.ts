import { Recent } from './recent-set.ts';

/** Facts known: a few hundred bytes for each, and those of the last minutes of a flood. */
const MAX_FACTS = 20_000;
const MAX_ISSUES = 20_000;
/** Releases that events come from at a time. */
const MAX_RELEASES = 1_000;

/** What is known of the text an issue is found by. */
export interface KnownText {
  /** When it was last looked at, to the hour. */
  readonly hourMs: number;
  readonly fingerprint: string;
}

/**
 * What ingest knows to be in the database, so that it neither asks for it nor writes it again: most events say of their
 * issue what the one before has said.
 *
 * It is only ever told of what was committed: what a transaction learns is kept when that has ended well.
 */
export class IngestMemory {
  /** The hour a fact was last written with. */
  readonly facts = new Recent<number>(MAX_FACTS);
  /** How many facts of a kind an issue has; there are three kinds. */
  readonly factCounts = new Recent<number>(3 * MAX_ISSUES);
  readonly texts = new Recent<KnownText>(MAX_ISSUES);
  readonly releases = new Recent<true>(MAX_RELEASES);
  #generation = 0;

  begin(): Learned {
    const generation = this.#generation;
    return new Learned(() => generation === this.#generation);
  }

  /** To be called when rows were deleted; what a transaction under way has learned is forgotten too. */
  forget(): void {
    this.#generation += 1;
    for (const recent of [this.facts, this.factCounts, this.texts, this.releases]) recent.clear();
  }
}

/** What a transaction has written, until it is known to be committed. */
export class Learned {
  readonly #isCurrent: () => boolean;
  readonly #lessons: (() => void)[] = [];

  constructor(isCurrent: () => boolean) {
    this.#isCurrent = isCurrent;
  }

  note<Value>(recent: Recent<Value>, key: string, value: Value): void {
    this.#lessons.push(() => recent.set(key, value));
  }

  /** After the commit. */
  keep(): void {
    if (!this.#isCurrent()) return;
    for (const lesson of this.#lessons) lesson();
  }
}

/** What is known, and what a transaction adds to it. */
export interface Memories {
  readonly memory: IngestMemory;
  readonly learned: Learned;
}
