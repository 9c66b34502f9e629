import { ViolationSenders } from './violation-senders.ts';

/** Facts in the cache: a few hundred bytes each, those of the last minutes of a flood. */
const MAX_FACTS = 40_000;
const MAX_ISSUES = 20_000;
/** Hours of issues: each has at most 100 networks, 10 KB, in the worst case 20 MB together. */
const MAX_HOURS = 2_000;
/** Releases that send events at the same time. */
const MAX_RELEASES = 1_000;

/** The cached state of an issue's search text. */
export interface CachedText {
  /** When it was last compared, to the hour. */
  readonly hourMs: number;
  readonly fingerprint: string;
}

/**
 * Caches rows that ingest has written, so that it neither reads nor writes them again: most events repeat the facts of
 * the event before.
 *
 * It contains committed rows only: a transaction collects its changes and applies them after the commit. Shares and networks are no rows.
 */
export class IngestCache {
  /** The hour with which a fact was last written. */
  readonly facts = new GenerationCache<number>(MAX_FACTS);
  /** How many facts of a kind an issue has; most have those of eight kinds. */
  readonly factCounts = new GenerationCache<number>(8 * MAX_ISSUES);
  readonly texts = new GenerationCache<CachedText>(MAX_ISSUES);
  /**
   * How many events of an issue and hour are stored in full as the share of each sender network, those of batches under way
   * too; see planEvents. Each replica counts its own, from 0 after a restart. It contains no id of a row, so {@link clear}
   * keeps it.
   */
  readonly shares = new GenerationCache<Map<string | null, number>>(MAX_HOURS);
  /** The networks that reported violations. It contains no id of a row, either. */
  readonly violations = new ViolationSenders();
  /** 1 for a release with a confirmed event, else 0. */
  readonly releases = new GenerationCache<number>(MAX_RELEASES);
  #version = 0;

  begin(): CacheChanges {
    const version = this.#version;
    return new CacheChanges(() => version === this.#version);
  }

  /** Must be called when rows were deleted. Discards the changes of transactions under way, too. */
  clear(): void {
    this.#version += 1;
    for (const cache of [this.facts, this.factCounts, this.texts, this.releases]) cache.clear();
  }
}

/** The changes that a transaction makes to the cache once it is committed. */
export class CacheChanges {
  readonly #isCurrent: () => boolean;
  readonly #changes: (() => void)[] = [];

  constructor(isCurrent: () => boolean) {
    this.#isCurrent = isCurrent;
  }

  add<Value>(cache: GenerationCache<Value>, key: string, value: Value): void {
    this.#changes.push(() => cache.set(key, value));
  }

  /** Applies the changes; to be called after the commit. */
  apply(): void {
    if (!this.#isCurrent()) return;
    for (const change of this.#changes) change();
  }
}

/** The cache, and the changes of a transaction to it. */
export interface TransactionCache {
  readonly cache: IngestCache;
  readonly changes: CacheChanges;
}

/**
 * A bounded cache of two generations: the older one is dropped when the younger one is full. Entries that are read stay.
 * Cheaper than a list of uses, because most reads write nothing.
 */
export class GenerationCache<Value> {
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
