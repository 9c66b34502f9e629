import { BodyLine } from './body-line.ts';

/** A body of at most this size is small, as nearly every error is; a larger one needs a slot. */
export const SMALL_BYTES = 64 * 1024;
/** Bytes that a waiting client has sent already: those in the buffer of its socket. */
const WAITING_BYTES = 64 * 1024;
/** Part of the memory that only small bodies may use: 8 MiB of 32, room for 2,000 errors of 4 KiB at once. */
const SMALL_PART = 1 / 4;
/** Part that one network may hold of the memory of a kind: three others find room beside it. */
const NETWORK_PART = 1 / 4;
/** Slots that a network keeps when another one needs them: 8 networks find two each among 16. */
const NETWORK_SLOTS = 2;

export interface BodyMemoryLimits {
  readonly maxBytes: number;
  /** Larger bodies that may be in progress at once. */
  readonly maxLarge: number;
  /** Larger bodies of one network, in progress or waiting. */
  readonly maxLargeOfNetwork: number;
  /** How long a client may wait for a slot, and again for room, ms, and how long no other network can claim its slot. */
  readonly waitMs: number;
  /** Clients that may wait at once: each has sent up to {@link WAITING_BYTES}. */
  readonly maxWaiting: number;
}

/** `unavailable`: there is no memory; `rate_limited`: the body's network holds its share already. */
export type Admission = 'ok' | 'unavailable' | 'rate_limited';

/** Bytes that bodies hold. */
class Usage {
  smallBytes = 0;
  largeBytes = 0;

  get bytes(): number {
    return this.smallBytes + this.largeBytes;
  }

  add(isLarge: boolean, bytes: number): void {
    if (isLarge) this.largeBytes += bytes;
    else this.smallBytes += bytes;
  }
}

/** What the bodies of one network hold. */
class NetworkUsage extends Usage {
  readonly network: string;
  /** Larger bodies, waiting ones included. */
  large = 0;
  /** All bodies. */
  bodies = 0;

  constructor(network: string) {
    super();
    this.network = network;
  }
}

/**
 * Limits the memory of all request bodies in progress, from the first byte to the response, so that no number of uploads
 * can exhaust the memory of the process. Only bytes that have arrived are charged: a length that a client announces and
 * does not send keeps no other client out.
 *
 * - Small bodies have a part that larger ones cannot use, and what these leave free.
 * - A limited number of larger bodies is read at once; the others wait unread, first come, first served.
 * - A network with more than two slots gives up the youngest that it has had for as long as a body may wait, when all are
 *   taken and a body of a network with fewer than two needs one: bodies that drip would keep it from all others. The body
 *   without its slot ends when it needs more memory.
 * - When larger bodies have used up their part, one that needs more waits, and its client with it: none has sent its bytes
 *   in vain. One at a time may exceed the part, so that it reaches its end and the oldest that waits goes on. It is the first
 *   that needs to: the oldest of all may be a slow client, for which all others would wait in vain.
 * - A network has a share of both parts. Its single larger body may exceed the share.
 */
export class BodyMemory {
  readonly #limits: BodyMemoryLimits;
  readonly #maxSmallBytes: number;
  readonly #maxLargeBytes: number;
  readonly #all = new Usage();
  readonly #networks = new Map<string, NetworkUsage>();
  /** Larger bodies in progress, the oldest first: a Set keeps the order of insertion. */
  readonly #inSlots = new Set<Reservation>();
  /** Bodies that wait unread for a slot. */
  readonly #waiting: BodyLine<Reservation, Admission>;
  /** Bodies in slots that wait for room. */
  readonly #paused: BodyLine<Reservation, Admission>;
  /** The larger body that exceeds the limits. While there is none, any may begin to. */
  #exceeding: Reservation | undefined;
  readonly #nowMs: () => number;

  constructor(limits: BodyMemoryLimits, nowMs: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#nowMs = nowMs;
    this.#waiting = new BodyLine(limits.waitMs);
    this.#paused = new BodyLine(limits.waitMs);
    this.#maxSmallBytes = limits.maxBytes * SMALL_PART;
    this.#maxLargeBytes = limits.maxBytes - this.#maxSmallBytes;
  }

  /** Bytes that bodies in progress use at most, but for what one of them exceeds, and the first bytes of waiting ones. */
  get mostBytes(): number {
    return this.#limits.maxBytes + this.#limits.maxWaiting * WAITING_BYTES;
  }

  get usedBytes(): number {
    return this.#all.bytes;
  }

  /** Number of larger bodies in progress. */
  get large(): number {
    return this.#inSlots.size;
  }

  /** Number of networks that hold a reservation. */
  get networks(): number {
    return this.#networks.size;
  }

  /** Creates an empty reservation for one body. @param network of its client; null for a client without a share. */
  reserve(network: string | null): Reservation {
    if (network === null) return new Reservation(this, null);
    const usage = this.#networks.get(network) ?? new NetworkUsage(network);
    this.#networks.set(network, usage);
    usage.bodies += 1;
    return new Reservation(this, usage);
  }

  /** Makes a body a larger one and gives it a slot, for which it may have to wait. */
  enter(body: Reservation): Admission | Promise<Admission> {
    if (!this.#enlarge(body)) return 'rate_limited';
    if (this.#takeSlot(body) || this.#claimSlot(body)) return 'ok';
    if (this.#waiting.size >= this.#limits.maxWaiting) return 'unavailable';
    return this.#waiting.wait(body, 0, () => (this.#claimSlot(body) ? 'ok' : 'unavailable'));
  }

  /** Charges a body with further bytes, for which a larger one may have to wait. */
  charge(body: Reservation, bytes: number): Admission | Promise<Admission> {
    const admission = this.chargeNow(body, bytes);
    if (admission !== 'unavailable' || !this.#inSlots.has(body)) return admission;
    return this.#paused.wait(body, bytes, () => 'unavailable');
  }

  /** Charges a body without a wait. A small one that becomes larger needs a free slot: it cannot wait unread. */
  chargeNow(body: Reservation, bytes: number): Admission {
    if (!body.isLarge && body.bytes + bytes > SMALL_BYTES && !this.#enlarge(body)) return 'rate_limited';
    if (body.isLarge && !this.#inSlots.has(body) && !this.#takeSlot(body) && !this.#claimSlot(body))
      return 'unavailable';
    const admission = body.isLarge ? this.#admitLarge(body, bytes) : this.#admitSmall(body, bytes);
    if (admission === 'ok') this.#use(body, bytes);
    return admission;
  }

  /** Releases the bytes and the slot of a body, and ends its wait; the slot goes to the first one that waits. */
  release(body: Reservation): void {
    const { usage } = body;
    this.#add(body, -body.bytes);
    if (usage !== null) {
      if (body.isLarge) usage.large -= 1;
      usage.bodies -= 1;
      if (usage.bodies === 0) this.#networks.delete(usage.network);
    }
    if (body === this.#exceeding || !this.#isOver) this.#exceeding = undefined;
    for (const line of [this.#waiting, this.#paused]) line.end(body, 'unavailable');
    const next = this.#inSlots.delete(body) ? this.#waiting.first : undefined;
    if (next !== undefined) {
      this.#takeSlot(next);
      this.#waiting.end(next, 'ok');
    }
    this.#resume();
  }

  #use(body: Reservation, bytes: number): void {
    body.bytes += bytes;
    this.#add(body, bytes);
    if (body.isLarge && this.#isOver) this.#exceeding = body;
  }

  #add(body: Reservation, bytes: number): void {
    this.#all.add(body.isLarge, bytes);
    body.usage?.add(body.isLarge, bytes);
  }

  /** Counts a body among the larger ones. Returns false when its network has enough of them. */
  #enlarge(body: Reservation): boolean {
    const { usage } = body;
    if (usage !== null && usage.large >= this.#limits.maxLargeOfNetwork) return false;
    if (usage !== null) usage.large += 1;
    this.#add(body, -body.bytes);
    body.isLarge = true;
    this.#add(body, body.bytes);
    return true;
  }

  #takeSlot(body: Reservation): boolean {
    if (this.#inSlots.size >= this.#limits.maxLarge) return false;
    this.#inSlots.add(body);
    body.inSlotSinceMs = this.#nowMs();
    return true;
  }

  /**
   * Gives a body the slot of a network with more than {@link NETWORK_SLOTS}, if its own has fewer. Bodies that have theirs for
   * less time than a body may wait are spared: their slots become free in time, and a burst of honest ones loses none.
   */
  #claimSlot(body: Reservation): boolean {
    const bodies = [...this.#inSlots];
    const slotsOf = (network: NetworkUsage | null): number =>
      bodies.filter(({ usage }) => usage === network).length;
    if (slotsOf(body.usage) >= NETWORK_SLOTS) return false;
    const sinceMs = this.#nowMs() - this.#limits.waitMs;
    const victim = bodies.findLast(
      ({ usage, inSlotSinceMs }) =>
        usage !== null && inSlotSinceMs <= sinceMs && slotsOf(usage) > NETWORK_SLOTS,
    );
    if (victim === undefined) return false;
    // First, so that the victim leaves its slot to no body that waits.
    this.#inSlots.delete(victim);
    if (victim === this.#exceeding) this.#exceeding = undefined;
    this.#takeSlot(body);
    this.#paused.end(victim, 'unavailable');
    this.#resume();
    return true;
  }

  /** Resumes paused bodies, the oldest first, up to one without room. */
  #resume(): void {
    for (const body of this.#paused.size === 0 ? [] : this.#inSlots) {
      const bytes = this.#paused.bytesOf(body);
      if (bytes === undefined) continue;
      const admission = this.#admitLarge(body, bytes);
      if (admission === 'unavailable') return;
      if (admission === 'ok') this.#use(body, bytes);
      this.#paused.end(body, admission);
    }
  }

  #admitSmall({ usage }: Reservation, bytes: number): Admission {
    if (usage !== null && usage.smallBytes + bytes > this.#maxSmallBytes * NETWORK_PART)
      return 'rate_limited';
    const isInPart = this.#all.smallBytes + bytes <= this.#maxSmallBytes;
    return isInPart || this.#all.bytes + bytes <= this.#limits.maxBytes ? 'ok' : 'unavailable';
  }

  #admitLarge(body: Reservation, bytes: number): Admission {
    const { usage } = body;
    const isSingle = usage === null || usage.largeBytes === body.bytes;
    if (!isSingle && usage.largeBytes + bytes > this.#maxLargeBytes * NETWORK_PART) return 'rate_limited';
    return this.#exceeding === undefined || this.#exceeding === body ? 'ok' : 'unavailable';
  }

  /** Whether a larger body has needed more than was left. */
  get #isOver(): boolean {
    const { largeBytes, bytes } = this.#all;
    return largeBytes > this.#maxLargeBytes || bytes > this.#limits.maxBytes;
  }
}

/**
 * The reserved bytes of one body.
 *
 * States: open -> released, asserted by `#isReleased`: only an open reservation grows, and `release` acts once, because
 * a request can end in several ways at the same time (response, timeout, closed connection).
 */
export class Reservation {
  readonly usage: NetworkUsage | null;
  readonly #memory: BodyMemory;
  #isReleased = false;
  isLarge = false;
  /** Monotonic time at which it got a slot, ms. */
  inSlotSinceMs = 0;
  /** Reserved bytes; after the release the last value. Only the memory changes them. */
  bytes = 0;

  constructor(memory: BodyMemory, usage: NetworkUsage | null) {
    this.#memory = memory;
    this.usage = usage;
  }

  /** Admits a body before its first byte is read. @param bytes that the client announces, at least. */
  begin(bytes: number): Admission | Promise<Admission> {
    return bytes > SMALL_BYTES ? this.#memory.enter(this) : 'ok';
  }

  /** Charges further bytes, and waits for room. Only one growth may wait. */
  grow(bytes: number): Admission | Promise<Admission> {
    return this.#isReleased ? 'unavailable' : this.#memory.charge(this, bytes);
  }

  /** Charges further bytes without a wait. */
  growNow(bytes: number): Admission {
    return this.#isReleased ? 'unavailable' : this.#memory.chargeNow(this, bytes);
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#memory.release(this);
  }
}
