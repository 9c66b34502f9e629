import type { Erased, Erasure } from '../../contract/erasure-api.ts';
import type { Relay } from '../../relay/relay.ts';
import type { Spool } from '../../spool/spool.ts';
import type { ErasureLook, LookedThrough } from '../../spool/protocol/spool-messages.ts';
import type { EventStore, StoreAnswer } from '../../store/event-store.ts';

type Rules = StoreAnswer<'erasuresSince'>;

/**
 * Has somebody or something forgotten: in the store, which all replicas share, and in this process's own spool and
 * memory. The others look for new rules in the store and apply them to theirs; see {@link catchUp}.
 */
export class Eraser {
  readonly #store: EventStore;
  readonly #spool: Spool;
  readonly #relay: Relay;
  /** Last rule that this process's spool was looked through for; after a start it is looked through for all. */
  #lastRule = 0;

  constructor(store: EventStore, spool: Spool, relay: Relay) {
    this.#store = store;
    this.#spool = spool;
    this.#relay = relay;
  }

  /** Resolves once nothing of it is left here. @throws where that could not be brought to its end; ask again then. */
  async erase(erasure: Erasure, nowMs: number): Promise<Erased> {
    const { rule, events, feedback } = await this.#store.ask('erase', erasure, nowMs);
    return { events, feedback, spooled: await this.#eraseInSpool([rule]) };
  }

  /**
   * Applies what was asked for since, here or elsewhere. What was asked for here is looked for once more: it may have
   * been on its way into the spool.
   */
  async catchUp(): Promise<number> {
    const rules = await this.#store.ask('erasuresSince', this.#lastRule);
    const last = rules.at(-1);
    if (last === undefined) return 0;
    const spooled = await this.#eraseInSpool(rules);
    this.#lastRule = last.id;
    return spooled;
  }

  async #eraseInSpool(rules: Rules): Promise<number> {
    // What was accepted before is on the disk then.
    await this.#spool.flush();
    const held = await this.#eraseFrom('held', rules);
    const dead = await this.#eraseFrom('dead', rules);
    await this.#spool.ask('truncateWal', null);
    return held + dead;
  }

  /** In pieces of a MiB: the spool's thread commits between them, and the store's thread reads them. */
  async #eraseFrom(from: ErasureLook['from'], rules: Rules): Promise<number> {
    const beforeMs = Math.max(...rules.map(({ atMs }) => atMs));
    let erased = 0;
    for (let afterId: number | null = 0; afterId !== null;) {
      const { bodies, next }: LookedThrough = await this.#spool.ask('look', { from, afterId, beforeMs });
      const ids = bodies.length === 0 ? [] : await this.#store.ask('erasedAmong', rules, bodies);
      if (ids.length > 0) {
        const gone = await this.#spool.ask('erase', { from, ids });
        if (from === 'held') this.#relay.forget(gone.ids);
        erased += gone.ids.length;
      }
      afterId = next;
    }
    return erased;
  }
}
