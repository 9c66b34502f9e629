import type { FindAnswer, FindHint, LostEvent, StoreHint } from '../../contract/find-api.ts';
import type { RecentRejections } from '../../outcome/recent-rejections.ts';
import type { MissingEvents } from '../../spool/protocol/event-status.ts';
import type { Spool } from '../../spool/spool.ts';
import type { EventStore } from '../../store/event-store.ts';

/** What can be asked when nothing was found. */
export interface SearchSources {
  readonly store: Pick<EventStore, 'ask'>;
  readonly spool: Pick<Spool, 'ask'>;
  readonly refusals: Pick<RecentRejections, 'counts'>;
}

/**
 * Finds what a pasted text means, and says why it may be that there is nothing: what the store has deleted, what the
 * spool lost or still holds, what the tunnel refused. All of it is counted; nobody is told a guess.
 */
export class Search {
  readonly #sources: SearchSources;
  readonly #retentionDays: number;

  constructor(sources: SearchSources, retentionDays: number) {
    this.#sources = sources;
    this.#retentionDays = retentionDays;
  }

  async find(query: string, cursor: string | null = null): Promise<FindAnswer> {
    const { hint, ...answer } = await this.#sources.store.ask('find', query, cursor);
    return hint === undefined ? answer : { ...answer, hint: await this.#explain(query, hint) };
  }

  async #explain(query: string, hint: StoreHint): Promise<FindHint> {
    const { store, spool, refusals } = this.#sources;
    const { deleted, eventIds } = await store.ask('notFoundFacts', query);
    // Without the spool the rest still helps.
    const missing = await spool.ask('missing', { eventIds }).catch(() => null);
    return {
      ...hint,
      retentionDays: this.#retentionDays,
      deleted,
      lost: lostOf(missing?.event ?? null),
      refused: refusals.counts(),
      waiting: missing?.waiting ?? null,
    };
  }
}

/** A dead letter that was dropped is still one that was refused. */
function lostOf(event: MissingEvents['event']): LostEvent | null {
  if (event === null) return null;
  const { eventId, fate, reason, atMs } = event;
  const time = new Date(atMs).toISOString();
  return { eventId, fate: fate === 'discarded' ? 'dead_lettered' : fate, reason, time };
}
