import { categoryOf, classOfItems, type DataCategory } from '../envelope/envelope-class.ts';
import { scanReadable } from '../envelope/items.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import type { FailureScope } from '../sink/sink.ts';
import { HOUR_MS } from '../time/iso.ts';
import { RecentMap } from '../time/recent-map.ts';

/** Different envelopes of one kind whose refusal in a row shows that the kind is refused, and not a few bad ones of it. */
const REFUSALS_OF_KIND = 5;
/** An accepted envelope proves for so long that the sink is up: as long as the longest pause between two probes. */
const PROOF_MS = 60_000;
/** Most origins with an accepted envelope in memory; a project has a few. */
const MAX_KNOWN_ORIGINS = 64;
/** Refused kinds above which unknown origins count as one: anyone can invent origins. */
const MAX_OF_STRANGERS = 256;
/** Most refused kinds in memory, with origins of at most 1 KB: known origins have room of their own. */
const MAX_KINDS = 512;
/** Stands for all further origins; no browser sends it. */
const OTHER_ORIGINS = '*';

/** The parts of an envelope that decide about its kind. */
export type Classified = Pick<QueuedEnvelope, 'items' | 'class' | 'sender'>;

/** A delivery that failed, and not because of the sink alone. */
export interface FailureOfKind {
  readonly envelope: Classified;
  readonly scope: FailureScope;
  /** Whether the same envelope failed before. */
  readonly isRepeated: boolean;
}

interface EnvelopeKind {
  readonly key: string;
  readonly type: DataCategory;
  /** Null: not sent by a page. */
  readonly origin: string | null;
}

interface RefusedKind {
  readonly origin: string | null;
  /** Envelopes that the sink had accepted before the first refusal. */
  readonly acceptedBefore: number;
  /** Different envelopes. */
  readonly times: number;
  /** Whether the sink answered as to an unknown DSN. */
  readonly isDsn: boolean;
}

/**
 * Remembers which kinds of envelopes a sink refuses since it last accepted one of them. A kind is a category of items from
 * one origin, or from no page. A refusal says something about the sink or its DSN only if the sink accepts no other kind.
 * A restart forgets all.
 */
export class RefusedKinds {
  readonly #refused = new RecentMap<string, RefusedKind>(MAX_KINDS);
  readonly #knownOrigins = new RecentMap<string, true>(MAX_KNOWN_ORIGINS);
  /** Times of the last dead letter of each category, monotonic clock. */
  readonly #examples = new Map<DataCategory, number>();
  #accepted = 0;
  #acceptedAtMs = -Infinity;

  /** Records an accepted envelope. @param nowMs monotonic clock. */
  accepted(envelope: Classified, nowMs: number): void {
    this.#accepted += 1;
    this.#acceptedAtMs = nowMs;
    if (this.#refused.size > 0) this.#refused.delete(this.#kindOf(envelope).key);
    if (envelope.sender.origin !== null) this.#knownOrigins.set(envelope.sender.origin, true);
  }

  /** Records a refusal. That of an envelope which failed before says nothing new, except about its DSN. */
  refused({ envelope, isRepeated, scope }: FailureOfKind): void {
    const isDsn = scope === 'dsn';
    if (isOfAll(scope) || (isRepeated && !isDsn)) return;
    const { key, origin } = this.#kindOf(envelope);
    const { acceptedBefore = this.#accepted, times = 0 } = this.#refused.get(key) ?? {};
    this.#refused.set(key, { origin, acceptedBefore, times: times + Number(!isRepeated), isDsn });
  }

  /** Whether the sink has refused different envelopes of this kind since it last accepted one of it. */
  has(envelope: Classified): boolean {
    return (this.#refused.get(this.#kindOf(envelope).key)?.times ?? 0) >= REFUSALS_OF_KIND;
  }

  /** Whether the sink refuses this kind, and has accepted another one since, not long ago. @param nowMs monotonic clock. */
  isAlone(envelope: Classified, nowMs: number): boolean {
    const refused = this.#refused.get(this.#kindOf(envelope).key);
    if (refused === undefined || refused.acceptedBefore === this.#accepted) return false;
    return nowMs - this.#acceptedAtMs <= PROOF_MS;
  }

  /**
   * Whether the DSN itself is at fault: rejected without an origin, or from two origins that were accepted before. A stranger
   * can send any origin, and its rejection says nothing about the DSN.
   */
  get isDsnRejected(): boolean {
    const rejected = [...this.#refused.values()].filter(({ isDsn }) => isDsn).map(({ origin }) => origin);
    const known = rejected.filter((origin) => origin === null || this.#knownOrigins.has(origin));
    return known.includes(null) || new Set(known).size > 1;
  }

  /** Returns whether this refused envelope is the example of its category, one an hour. @param nowMs monotonic clock. */
  takeExample(envelope: Classified, nowMs: number): boolean {
    const { type } = this.#kindOf(envelope);
    if (nowMs - (this.#examples.get(type) ?? -Infinity) < HOUR_MS) return false;
    this.#examples.set(type, nowMs);
    return true;
  }

  #kindOf(envelope: Classified): EnvelopeKind {
    const type = typeOf(envelope);
    const { origin } = envelope.sender;
    if (origin === null) return { key: type, type, origin };
    const key = `${type} ${origin}`;
    const hasRoom = this.#refused.size < MAX_OF_STRANGERS;
    if (hasRoom || this.#refused.has(key) || this.#knownOrigins.has(origin)) return { key, type, origin };
    return { key: `${type} ${OTHER_ORIGINS}`, type, origin: OTHER_ORIGINS };
  }
}

/** Whether a failure concerns all envelopes: no answer, or one of a sink that is down. */
export function isOfAll(scope: FailureScope): boolean {
  return scope === 'connection' || scope === 'sink';
}

/** Returns the category of the item that gives an envelope its class. */
function typeOf({ items, class: envelopeClass }: Classified): DataCategory {
  const found = scanReadable(items, 0).items.find(({ type }) => classOfItems([type]) === envelopeClass);
  return categoryOf(found?.type ?? '');
}
