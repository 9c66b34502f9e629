import type { Erased, Erasure, ErasureMatch } from '../../contract/erasure-api.ts';
import type { Relay } from '../../relay/relay.ts';
import type { Spool } from '../../spool/spool.ts';
import type { ErasureScan, ScannedBodies } from '../../spool/protocol/spool-messages.ts';
import type { EventStore } from '../../store/event-store.ts';
import type { ProcedureResult } from '../../store/procedures.ts';

type Rules = ProcedureResult<'erasuresSince'>;

/**
 * Erases data by rule: in the store, which all replicas share, and in this process's spool and memory. Other replicas
 * read new rules from the store and apply them to their own spools; see {@link catchUp}. It must never report a rule as
 * done while this process still holds data that matches it.
 */
export class Eraser {
  readonly #store: Pick<EventStore, 'ask'>;
  readonly #spool: Spool;
  readonly #relay: Relay;
  /** Last rule that was applied to this process's spool; after a start all rules are applied again. */
  #lastRule = 0;

  constructor(store: Pick<EventStore, 'ask'>, spool: Spool, relay: Relay) {
    this.#store = store;
    this.#spool = spool;
    this.#relay = relay;
  }

  /** Resolves when no matching data is left here. @throws when it could not finish; the request can be repeated. */
  async erase(erasure: Erasure, nowMs: number): Promise<Erased> {
    const { rule, events, feedback } = await this.#store.ask('erase', erasure, nowMs);
    return { events, feedback, spooled: await this.#eraseInSpool([rule]) };
  }

  /** Counts by project what an erasure would delete now, in the store and in the spool of this process. */
  async matches(erasure: Erasure, nowMs: number): Promise<readonly ErasureMatch[]> {
    const { rule, matches } = await this.#store.ask('erasureMatches', erasure, nowMs);
    const found = new Map<string, ErasureMatch>(
      matches.map((match) => [match.project, { ...match, spooled: 0 }]),
    );
    await this.#spool.flush();
    for (const from of ['queued', 'dead'] as const) {
      for await (const bodies of this.#matchesIn(from, [rule])) {
        for (const { project } of bodies) {
          const before = found.get(project) ?? { project, events: 0, feedback: 0, spooled: 0 };
          found.set(project, { ...before, spooled: before.spooled + 1 });
        }
      }
    }
    return [...found.values()];
  }

  /**
   * Applies the rules of all replicas since the last call. Rules of this process are applied once more, because a matching
   * envelope may have been on its way into the spool. Returns the number of erased envelopes.
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
    // Puts every envelope that was accepted before on the disk.
    await this.#spool.flush();
    const queued = await this.#eraseFrom('queued', rules);
    const dead = await this.#eraseFrom('dead', rules);
    await this.#spool.ask('truncateWal');
    return queued + dead;
  }

  async #eraseFrom(from: ErasureScan['from'], rules: Rules): Promise<number> {
    let erased = 0;
    for await (const bodies of this.#matchesIn(from, rules)) {
      const gone = await this.#spool.ask('erase', { from, ids: bodies.map(({ id }) => id) });
      if (from === 'queued') this.#relay.forget(gone);
      erased += gone.length;
    }
    return erased;
  }

  /** Works in pieces of 1 MiB: the spool's thread can commit between them, and the store's thread matches them. */
  async *#matchesIn(from: ErasureScan['from'], rules: Rules): AsyncGenerator<ScannedBodies['bodies'], void> {
    const beforeMs = Math.max(...rules.map(({ atMs }) => atMs));
    for (let afterId: number | null = 0; afterId !== null;) {
      const { bodies, next }: ScannedBodies = await this.#spool.ask('scan', { from, afterId, beforeMs });
      const ids = bodies.length === 0 ? [] : await this.#store.ask('erasedAmong', rules, bodies);
      if (ids.length > 0) yield bodies.filter(({ id }) => ids.includes(id));
      afterId = next;
    }
  }
}
