import type { FindAnswer, FindHint, FindReading, LostEvent } from '../../contract/find-api.ts';
import type { RecentRejections } from '../../outcome/recent-rejections.ts';
import type { MissingEvents } from '../../spool/protocol/event-status.ts';
import type { Spool } from '../../spool/spool.ts';
import type { EventStore } from '../../store/event-store.ts';
import { readSearch } from '../../store/search/search-terms.ts';
import { unknownWords } from './unknown-words.ts';
import { isoTimeOrNull } from '../../time/iso.ts';

/** Sources of the explanation when nothing was found. */
export interface FinderSources {
  readonly store: Pick<EventStore, 'ask'>;
  readonly spool: Pick<Spool, 'ask'>;
  readonly rejections: Pick<RecentRejections, 'counts' | 'since'>;
}

/**
 * Finds the issues that a pasted text names. Explains a miss with counts: deleted by retention, lost or still queued in the
 * spool, rejected by the tunnel. It must never present a guess as a reason.
 */
export class Finder {
  readonly #sources: FinderSources;
  readonly #retentionDays: number;

  constructor(sources: FinderSources, retentionDays: number) {
    this.#sources = sources;
    this.#retentionDays = retentionDays;
  }

  async find(query: string, cursor: string | null = null): Promise<FindAnswer> {
    const { hint, ...found } = await this.#sources.store.ask('find', query, cursor);
    const byWords = isByWords(query, found.reading);
    const unknown = byWords || hint !== undefined ? unknownWords(query) : undefined;
    const isNamed = unknown !== undefined && (byWords || unknown.nearest.length > 0);
    const answer = isNamed ? { ...found, unknownWords: unknown } : found;
    if (hint === undefined) return answer;
    const { eventIds, ...stored } = hint;
    return { ...answer, hint: { ...stored, ...(await this.#explain(eventIds)) } };
  }

  /** Returns what the spool and this process know about a miss. */
  async #explain(
    eventIds: readonly string[],
  ): Promise<Pick<FindHint, 'retentionDays' | 'lost' | 'rejected' | 'rejectedSince' | 'queued'>> {
    const { spool, rejections } = this.#sources;
    // The other counts are useful without the spool's.
    const missing = await spool.ask('missing', eventIds).catch(() => null);
    return {
      retentionDays: this.#retentionDays,
      lost: lostOf(missing?.event ?? null),
      rejected: rejections.counts(),
      rejectedSince: rejections.since,
      queued: missing?.queued ?? null,
    };
  }
}

/** Returns whether a text was read as a search by words and filters, and not a part of it as an id. */
function isByWords(query: string, reading: FindReading): boolean {
  const filter = readSearch(query).find(({ field, isNegated }) => field !== null && !isNegated);
  return reading === 'text' || filter?.field === reading;
}

/** An event whose dead letter was discarded is reported as a dead letter: its upstream rejected it. */
function lostOf(event: MissingEvents['event']): LostEvent | null {
  if (event === null) return null;
  const { eventId, fate, reason, atMs } = event;
  const time = isoTimeOrNull(atMs);
  return { eventId, fate: fate === 'discarded' ? 'dead_lettered' : fate, reason, time };
}
