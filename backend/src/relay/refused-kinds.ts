import { categoryOf, classOfItems, type DataCategory } from '../envelope/envelope-class.ts';
import { scanReadable } from '../envelope/items.ts';
import { customerNetwork } from '../net/client-address.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import type { FailureScope } from '../sink/sink.ts';
import { HOUR_MS } from '../time/iso.ts';
import { RecentMap } from '../time/recent-map.ts';

/**
 * Refusals in a row that show that a kind is refused, and not a few bad ones of it: of different envelopes of one network, or
 * of different networks.
 */
const REFUSALS_OF_KIND = 5;
/**
 * Rejections of the DSN in a row, repeated ones too, that show that all of a kind are rejected while others are accepted: a
 * server in front that works now and then has so many in a row twice in a thousand times if it rejects nine of ten.
 */
const REJECTIONS_OF_KIND = 60;
/** An accepted envelope proves for so long that the sink is up: as long as the longest pause between two probes. */
const PROOF_MS = 60_000;
/** Most origins with an accepted envelope in memory; a project has a few. */
const MAX_KNOWN_ORIGINS = 64;
/** Refused kinds above which unknown origins count as one: anyone can invent origins. */
const MAX_OF_STRANGERS = 256;
/** Most refused kinds in memory, with origins of at most 1 KB: known origins have room of their own. */
const MAX_KINDS = 512;
/** Most pairs of a kind and a network in memory; above that, those refused longest ago are forgotten. */
const MAX_NETWORKS = 256;
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
  /** The kind and the network of the client; null: its address is unknown. */
  readonly network: string | null;
}

interface RefusedKind {
  readonly origin: string | null;
  /** Envelopes that the sink had accepted before the first refusal. */
  readonly acceptedBefore: number;
  /** Different envelopes of one network; of a kind: different networks, and different envelopes of unknown ones. */
  readonly times: number;
  /** Envelopes that the sink had accepted when {@link REFUSALS_OF_KIND} was reached. */
  readonly acceptedUntilKnown: number;
  /** Whether the sink answered as to an unknown DSN. */
  readonly isDsn: boolean;
  /** Such answers since it accepted another kind. */
  readonly rejections: number;
}

/**
 * Remembers which kinds of envelopes a sink refuses since it last accepted one of them. A kind is a category of items from
 * one origin, or from no page; what one network sends of it is a kind of its own, so that no client stops the envelopes of all
 * others. A refusal says something about the sink or its DSN only if the sink accepts no other kind. A restart forgets all.
 */
export class RefusedKinds {
  readonly #refused = new RecentMap<string, RefusedKind>(MAX_KINDS);
  readonly #ofNetworks = new RecentMap<string, RefusedKind>(MAX_NETWORKS);
  readonly #knownOrigins = new RecentMap<string, true>(MAX_KNOWN_ORIGINS);
  /** Times of the last dead letter of each category, monotonic clock. */
  readonly #examples = new Map<DataCategory, number>();
  #accepted = 0;
  #acceptedAtMs = -Infinity;

  /** Records an accepted envelope. @param nowMs monotonic clock. */
  accepted(envelope: Classified, nowMs: number): void {
    this.#accepted += 1;
    this.#acceptedAtMs = nowMs;
    if (this.#refused.size + this.#ofNetworks.size > 0) {
      const { key, network } = this.#kindOf(envelope);
      this.#refused.delete(key);
      if (network !== null) this.#ofNetworks.delete(network);
    }
    if (envelope.sender.origin !== null) this.#knownOrigins.set(envelope.sender.origin, true);
  }

  /** Records a refusal. That of an envelope which failed before says nothing new, except about its DSN. */
  refused({ envelope, isRepeated, scope }: FailureOfKind): void {
    const isDsn = scope === 'dsn';
    if (isOfAll(scope) || (isRepeated && !isDsn)) return;
    const { key, network, origin } = this.#kindOf(envelope);
    const added = { origin, isDsn, times: Number(!isRepeated) };
    const before = network === null ? undefined : this.#ofNetworks.get(network);
    if (network !== null) this.#ofNetworks.set(network, this.#sum(before, added));
    const isCounted = before === undefined || before.times === 0;
    this.#refused.set(
      key,
      this.#sum(this.#refused.get(key), { ...added, times: isCounted ? added.times : 0 }),
    );
  }

  /** Whether the sink has refused different envelopes of this kind since it last accepted one of it. */
  has(envelope: Classified): boolean {
    return this.#recordsOf(envelope).some(isKnown);
  }

  /** Whether the sink rejects the DSN for all envelopes of this kind, and accepts others. */
  isRejected(envelope: Classified): boolean {
    return this.#recordsOf(envelope).some(({ rejections }) => rejections >= REJECTIONS_OF_KIND);
  }

  /** Whether the sink refuses this kind, and has accepted another one since, not long ago. @param nowMs monotonic clock. */
  isAlone(envelope: Classified, nowMs: number): boolean {
    return this.isUp(nowMs) && this.#recordsOf(envelope).some((one) => one.acceptedBefore !== this.#accepted);
  }

  /** Whether the sink has accepted an envelope not long ago. @param nowMs monotonic clock. */
  isUp(nowMs: number): boolean {
    return nowMs - this.#acceptedAtMs <= PROOF_MS;
  }

  /**
   * Whether a refusal is the fault of the envelope: the sink refused what its network sends of this kind, and after that was
   * known it accepted others. A sink that begins to refuse all envelopes accepts none after that.
   */
  isOfBadSender(envelope: Classified): boolean {
    const { network } = this.#kindOf(envelope);
    const refused = network === null ? undefined : this.#ofNetworks.get(network);
    return refused !== undefined && isKnown(refused) && refused.acceptedUntilKnown !== this.#accepted;
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

  /** Returns what is remembered about an envelope's kind, of its network and of all. */
  #recordsOf(envelope: Classified): readonly RefusedKind[] {
    const { key, network } = this.#kindOf(envelope);
    const records = [this.#refused.get(key), network === null ? undefined : this.#ofNetworks.get(network)];
    return records.filter((one) => one !== undefined);
  }

  #sum(before: RefusedKind | undefined, added: Pick<RefusedKind, 'origin' | 'isDsn' | 'times'>): RefusedKind {
    const { acceptedBefore = this.#accepted, times = 0, rejections = 0 } = before ?? {};
    const acceptedUntilKnown =
      before !== undefined && isKnown(before) ? before.acceptedUntilKnown : this.#accepted;
    const isRejected = added.isDsn && acceptedBefore !== this.#accepted;
    return {
      ...added,
      times: times + added.times,
      rejections: rejections + Number(isRejected),
      acceptedBefore,
      acceptedUntilKnown,
    };
  }

  #kindOf(envelope: Classified): EnvelopeKind {
    const type = typeOf(envelope);
    const { address } = envelope.sender;
    const origin = this.#countedOrigin(type, envelope.sender.origin);
    const key = keyOf(type, origin);
    return { key, type, origin, network: address === null ? null : `${key} ${customerNetwork(address)}` };
  }

  #countedOrigin(type: DataCategory, origin: string | null): string | null {
    if (origin === null || this.#refused.size < MAX_OF_STRANGERS || this.#knownOrigins.has(origin))
      return origin;
    return this.#refused.has(keyOf(type, origin)) ? origin : OTHER_ORIGINS;
  }
}

function keyOf(type: DataCategory, origin: string | null): string {
  return origin === null ? type : `${type} ${origin}`;
}

function isKnown({ times }: RefusedKind): boolean {
  return times >= REFUSALS_OF_KIND;
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
