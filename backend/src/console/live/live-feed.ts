import { setTimeout as delay } from 'node:timers/promises';
import type { LiveEvent } from '../../contract/live-api.ts';
import type { EventStore } from '../../store/event-store.ts';

/** How often the store is looked at while somebody listens. */
const EVERY_MS = 1_000;
/** More than this a second nobody reads; the rest is told as a number. */
const MAX_AT_ONCE = 50;
/** Ids that were passed over are looked for so often: a transaction that takes longer has failed. */
const LOOKS_FOR_MISSING = 10;
/** Of a larger hole only the newest ids are looked for. */
const MAX_MISSING = 500;

/** Somebody who looks on. */
export interface LiveListener {
  /** @param passed events that came beside these. @param cursor where to go on from after all of them. */
  take(events: readonly LiveEvent[], passed: number, cursor: number): void;
  /** There will be no more. */
  end(): void;
}

interface Listening {
  readonly listener: LiveListener;
  /** Events up to this id it has, or does not want. */
  readonly afterId: number;
}

/**
 * Follows what is stored, by this process and by others on the same database: once a second, and only while somebody
 * listens. Asking the store and not the intake shows an event when it can be opened, with its digest.
 *
 * States: idle (nobody listens) <-> following -> closed.
 */
export class LiveFeed {
  readonly #store: Pick<EventStore, 'ask'>;
  readonly #wait: (ms: number) => Promise<unknown>;
  readonly #listening = new Set<Listening>();
  /** Ids that are not there yet though a later one is, and how often they are still looked for. */
  readonly #missing = new Map<number, number>();
  #lastId = 0;
  #isFollowing = false;
  #isClosed = false;
  /** Looks at the store come one after the other, or a listener that joins could miss what another look takes. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    store: Pick<EventStore, 'ask'>,
    wait: (ms: number) => Promise<unknown> = (ms) => delay(ms, undefined, { ref: false }),
  ) {
    this.#store = store;
    this.#wait = wait;
  }

  get listeners(): number {
    return this.#listening.size;
  }

  /**
   * Tells a listener of what comes from now on.
   *
   * @param afterId cursor it has from before, to be told what came since; null for none.
   * @returns what ends it. Rejects while the store cannot be asked.
   */
  join(listener: LiveListener, afterId: number | null): Promise<() => void> {
    return this.#inTurn(async () => {
      const upTo =
        afterId === null ? await this.#store.ask('lastEventId') : await this.#catchUp(listener, afterId);
      if (this.#isClosed) {
        listener.end();
        return () => {};
      }
      const entry = { listener, afterId: upTo };
      if (this.#listening.size === 0) {
        this.#lastId = upTo;
        this.#missing.clear();
      }
      this.#listening.add(entry);
      if (!this.#isFollowing) void this.#follow();
      return () => void this.#listening.delete(entry);
    });
  }

  /** Ends all listeners. */
  close(): void {
    this.#isClosed = true;
    for (const { listener } of this.#listening) listener.end();
    this.#listening.clear();
  }

  /** Gives what came since a cursor. @returns up to which id that is. */
  async #catchUp(listener: LiveListener, afterId: number): Promise<number> {
    const { rows, passed, lastId } = await this.#store.ask('liveEvents', afterId, [], MAX_AT_ONCE);
    if (rows.length > 0) {
      listener.take(
        rows.map(({ event }) => event),
        passed,
        lastId,
      );
    }
    return lastId;
  }

  async #follow(): Promise<void> {
    this.#isFollowing = true;
    while (this.#listening.size > 0) {
      await this.#wait(EVERY_MS);
      // While the store cannot be asked nothing is stored either; what then comes is shown when it is back.
      await this.#inTurn(() => this.#look()).catch(() => {});
    }
    this.#isFollowing = false;
  }

  async #look(): Promise<void> {
    if (this.#listening.size === 0) return;
    const before = this.#lastId;
    const missing = [...this.#missing.keys()];
    const { rows, passed, lastId } = await this.#store.ask('liveEvents', before, missing, MAX_AT_ONCE);
    this.#lastId = lastId;
    this.#noteMissing(new Set(rows.map(({ id }) => id)), passed > 0 ? lastId : before);
    for (const { listener, afterId } of this.#listening) {
      const news = rows.filter(({ id }) => id > afterId).map(({ event }) => event);
      if (news.length > 0) listener.take(news, passed, lastId);
    }
  }

  /** @param afterId what lies between it and the newest one was to be seen. */
  #noteMissing(seen: ReadonlySet<number>, afterId: number): void {
    for (const [id, looks] of this.#missing) {
      if (seen.has(id) || looks === 1) this.#missing.delete(id);
      else this.#missing.set(id, looks - 1);
    }
    for (let id = Math.max(afterId + 1, this.#lastId - MAX_MISSING); id < this.#lastId; id += 1) {
      if (!seen.has(id) && this.#missing.size < MAX_MISSING) this.#missing.set(id, LOOKS_FOR_MISSING);
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }
}
