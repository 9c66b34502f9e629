import { type DeliveredEnvelope, packDeliveries } from './protocol/packed-deliveries.ts';
import type {
  CommitWork,
  MalformedBody,
  ProjectDiscard,
  ProjectLimits,
  SettledEnvelope,
} from './protocol/spool-messages.ts';

/** Malformed bodies that may wait for a commit; more at once are an attack and are not stored. */
const MAX_MALFORMED = 32;
/** Bytes stored of a malformed body. */
const MAX_MALFORMED_BYTES = 64 * 2 ** 10;

/** The writes of one commit beside its appends. */
export interface Taken {
  readonly work: Omit<CommitWork, 'appends'>;
  readonly deliveries: readonly DeliveredEnvelope[];
}

/** Collects the writes of the next commit beside its appends; merges several deliveries of one envelope. */
export class PendingWrites {
  #deliveries = new Map<number, DeliveredEnvelope>();
  #settled: SettledEnvelope[] = [];
  #unwanted = 0;
  #discarded: ProjectDiscard[] = [];
  #malformed: MalformedBody[] = [];
  #rateLimits: ProjectLimits[] = [];

  /** Number of pending writes. */
  get size(): number {
    return (
      this.#deliveries.size +
      this.#settled.length +
      Math.min(this.#unwanted, 1) +
      this.#discarded.length +
      this.#malformed.length +
      this.#rateLimits.length
    );
  }

  settleDelivered(delivery: DeliveredEnvelope): void {
    const { id, bits, digest } = delivery;
    const other = this.#deliveries.get(id);
    const merged =
      other === undefined ? delivery : { id, bits: bits | other.bits, digest: digest ?? other.digest };
    this.#deliveries.set(id, merged);
  }

  settle(settled: SettledEnvelope): void {
    this.#settled.push(settled);
  }

  unwanted(count: number): void {
    this.#unwanted += count;
  }

  discard(discarded: ProjectDiscard): void {
    const index = this.#discarded.findIndex((other) => areOfOneKind(other, discarded));
    const other = this.#discarded[index];
    if (other === undefined) this.#discarded.push(discarded);
    else this.#discarded[index] = { ...discarded, quantity: discarded.quantity + other.quantity };
  }

  malformed(body: MalformedBody): void {
    if (this.#malformed.length >= MAX_MALFORMED) return;
    const kept =
      body.body.length <= MAX_MALFORMED_BYTES ? body.body : body.body.slice(0, MAX_MALFORMED_BYTES);
    this.#malformed.push({ ...body, body: kept });
  }

  rateLimit(limits: ProjectLimits): void {
    this.#rateLimits.push(limits);
  }

  /** Returns all pending writes and clears them. */
  take(): Taken {
    const deliveries = [...this.#deliveries.values()];
    const work = {
      delivered: packDeliveries(deliveries),
      settled: this.#settled,
      unwanted: this.#unwanted,
      discarded: this.#discarded,
      malformed: this.#malformed,
      rateLimits: this.#rateLimits,
    };
    this.#deliveries = new Map();
    this.#settled = [];
    this.#unwanted = 0;
    this.#discarded = [];
    this.#malformed = [];
    this.#rateLimits = [];
    return { work, deliveries };
  }

  /** Restores the writes of a commit that failed: the next one has to contain them. */
  putBack({ work, deliveries }: Taken): void {
    for (const delivery of deliveries) this.settleDelivered(delivery);
    this.#settled = [...work.settled, ...this.#settled];
    this.#unwanted += work.unwanted;
    for (const discarded of work.discarded) this.discard(discarded);
    for (const body of work.malformed) this.malformed(body);
    this.#rateLimits = [...work.rateLimits, ...this.#rateLimits];
  }
}

/** Whether the items of both are counted as one: neither is counted with an envelope of its own. */
function areOfOneKind(one: ProjectDiscard, other: ProjectDiscard): boolean {
  return (
    one.cutFrom === null &&
    other.cutFrom === null &&
    one.project === other.project &&
    one.reason === other.reason &&
    one.category === other.category
  );
}
