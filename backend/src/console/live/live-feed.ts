import { setTimeout as delay } from 'node:timers/promises';
import type { LiveEvent } from '../../contract/live-api.ts';
import type { EventStore } from '../../store/event-store.ts';

/** Interval of the queries while at least one listener is there. */
const EVERY_MS = 1_000;
/** No user can read more events per second; the others are reported as a number. */
const MAX_AT_ONCE = 50;
/** Queries that look for a missing id: a transaction that takes longer has failed. */
const LOOKS_FOR_MISSING = 10;
/** Missing ids in memory; of a larger gap only the newest are queried. */
const MAX_MISSING = 500;

type FeedState = 'idle' | 'following' | 'closed';

const MOVES: Readonly<Record<FeedState, readonly FeedState[]>> = {
  idle: ['following', 'closed'],
  following: ['idle', 'closed'],
  closed: [],
};

/** An open live page. */
export interface LiveListener {
  /** @param passed number of events that are not in the list. @param cursor position after all of them. */
  take(events: readonly LiveEvent[], passed: number, cursor: number): void;
  /** Called when no more events follow. */
  end(): void;
}

interface Listening {
  readonly listener: LiveListener;
  /** Only events after this id go to the listener. */
  readonly afterId: number;
}

/**
 * Follows the events that this process and other replicas store, once a second and only while there are listeners. It
 * queries the store and not the intake, so that an event appears when it can be opened, with its digest.
 *
 * States: idle (no listener) <-> following; idle or following -> closed, which is the end.
 */
export class LiveFeed {
  readonly #store: Pick<EventStore, 'ask'>;
  readonly #wait: (ms: number) => Promise<unknown>;
  readonly #listening = new Set<Listening>();
  /** Ids that are not committed yet although a later one is, with the number of queries that still look for them. */
  readonly #missing = new Map<number, number>();
  #lastId = 0;
  #state: FeedState = 'idle';
  /** Queries run one after the other; otherwise a joining listener could miss the events of a concurrent query. */
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
   * Sends new events to a listener from now on.
   *
   * @param afterId cursor of an earlier connection, to get the events since then first; null for none.
   * @returns a function that removes the listener. Rejects while the store is unavailable.
   */
  join(listener: LiveListener, afterId: number | null): Promise<() => void> {
    return this.#inTurn(async () => {
      const upTo =
        afterId === null ? await this.#store.ask('lastEventId') : await this.#catchUp(listener, afterId);
      if (this.#state === 'closed') {
        listener.end();
        return () => {};
      }
      const entry = { listener, afterId: upTo };
      if (this.#listening.size === 0) {
        this.#lastId = upTo;
        this.#missing.clear();
      }
      this.#listening.add(entry);
      if (this.#state === 'idle') void this.#follow();
      return () => void this.#listening.delete(entry);
    });
  }

  /** Ends all listeners; a second call does nothing. */
  close(): void {
    if (this.#state === 'closed') return;
    this.#move('closed');
    for (const { listener } of this.#listening) listener.end();
    this.#listening.clear();
  }

  /** Sends the events since a cursor. Returns the id of the last one. */
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
    this.#move('following');
    while (this.#listening.size > 0) {
      await this.#wait(EVERY_MS);
      // While the store is unavailable nothing is stored; later events appear when it is back.
      await this.#inTurn(() => this.#look()).catch(() => {});
    }
    if (this.#state === 'following') this.#move('idle');
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

  /** Notes the ids between `afterId` and the newest one that the query did not return. */
  #noteMissing(seen: ReadonlySet<number>, afterId: number): void {
    for (const [id, looks] of this.#missing) {
      if (seen.has(id) || looks === 1) this.#missing.delete(id);
      else this.#missing.set(id, looks - 1);
    }
    for (let id = Math.max(afterId + 1, this.#lastId - MAX_MISSING); id < this.#lastId; id += 1) {
      if (!seen.has(id) && this.#missing.size < MAX_MISSING) this.#missing.set(id, LOOKS_FOR_MISSING);
    }
  }

  #move(to: FeedState): void {
    if (!MOVES[this.#state].includes(to)) throw new Error(`live feed: ${this.#state} -> ${to}`);
    this.#state = to;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }
}
