import type {
  DeadLetterDetail,
  DeadLetterList,
  DeadLetterSummary,
  DeliveryState,
  SinkDetail,
} from '../../contract/delivery-api.ts';
import { balanceOf } from '../../outcome/balance.ts';
import type { RecentRejections } from '../../outcome/recent-rejections.ts';
import type { Relay, SinkReport } from '../../relay/relay.ts';
import type { Spool } from '../../spool/spool.ts';
import type { DeadLetter, SpoolCounts } from '../../spool/protocol/spool-messages.ts';
import type { EventStore } from '../../store/event-store.ts';
import { deadLetterId, numberIn, spoolName } from './dead-letter-id.ts';

/** Rows of one page. */
const PAGE_ROWS = 50;

interface DeliveryParts {
  readonly spool: Spool;
  readonly relay: Relay;
  readonly store: EventStore;
  readonly refusals: Pick<RecentRejections, 'counts'>;
}

/** The ledger of *Nothing is lost* for people, and what can be done about dead letters. */
export class Delivery {
  readonly #spool: Spool;
  readonly #relay: Relay;
  readonly #store: EventStore;
  readonly #refusals: Pick<RecentRejections, 'counts'>;
  readonly #host: string | null;

  /** @param host name of this host where other processes share the store; else null. */
  constructor({ spool, relay, store, refusals }: DeliveryParts, host: string | null) {
    this.#spool = spool;
    this.#relay = relay;
    this.#store = store;
    this.#refusals = refusals;
    this.#host = host;
  }

  async state(): Promise<DeliveryState> {
    const counts = await this.#spool.ask('counts', null);
    const { ledger, held, classes, discards, fill, deadLetters, bytes, maxBytes } = counts;
    return {
      process: this.#host === null ? null : `${this.#host}, spool ${spoolName(this.#spool.identity)}`,
      ...balanceOf(ledger, held),
      ends: ledger,
      classes: classes.map(({ oldestReceivedAtMs, ...ofClass }) => ({
        ...ofClass,
        oldest: oldestReceivedAtMs === null ? null : timeText(oldestReceivedAtMs),
      })),
      discards,
      fill,
      bytes,
      maxBytes,
      deadLetters,
      // The ledger is worth showing without it.
      stored: await this.#store.ask('storedEvents').catch(() => null),
      sinks: this.#relay.sinks().map((sink) => this.#detailOf(sink, counts)),
      refused: this.#refusals.counts(),
    };
  }

  /** Numbers of dead letters in this process's spool; undefined where one of them is of another spool. */
  own(ids: readonly string[]): readonly number[] | undefined {
    const numbers = ids
      .map((id) => numberIn(this.#spool.identity, id))
      .filter((number) => number !== undefined);
    return numbers.length === ids.length ? numbers : undefined;
  }

  /** @param beforeId what `next` of an earlier page names, or null for the first. */
  async deadLetters(beforeId: number | null): Promise<DeadLetterList> {
    const rows = await this.#spool.ask('deadLetters', { beforeId, limit: PAGE_ROWS });
    const last = rows.at(-1);
    return {
      deadLetters: rows.map((letter) => this.#summaryOf(letter)),
      next: rows.length < PAGE_ROWS || last === undefined ? null : this.#idOf(last),
    };
  }

  /** What is in one, scrubbed; undefined where there is no such dead letter. */
  async deadLetter(id: number): Promise<DeadLetterDetail | undefined> {
    const opened = await this.#spool.ask('deadLetter', { id });
    if (opened === null) return undefined;
    const { letter, bytes, isWhole } = opened;
    const { items, unread } = await this.#store.ask('deadLetterItems', bytes, isWhole);
    const isEnvelope = letter.reason !== 'malformed';
    const said = [isEnvelope ? null : `It is no envelope: ${letter.detail}.`, unread].filter(
      (sentence) => sentence !== null,
    );
    return { ...this.#summaryOf(letter), items, unread: said.length === 0 ? null : said.join(' ') };
  }

  /** Sends dead letters to their upstreams again. @returns how many. */
  async redrive(ids: readonly number[]): Promise<number> {
    return (await this.#spool.askAndGrow('redrive', { ids })).redriven;
  }

  /** Drops dead letters for good. @returns how many. */
  async discard(ids: readonly number[]): Promise<number> {
    return (await this.#spool.ask('discard', { ids })).discarded;
  }

  #summaryOf(letter: DeadLetter): DeadLetterSummary {
    const { receivedAtMs, diedAtMs, ...rest } = letter;
    return { ...rest, id: this.#idOf(letter), received: timeText(receivedAtMs), died: timeText(diedAtMs) };
  }

  #idOf({ id }: DeadLetter): string {
    return deadLetterId(id, this.#spool.identity);
  }

  #detailOf(sink: SinkReport, { forUpstreams, forStore }: SpoolCounts): SinkDetail {
    const { name, project, state, reason, lastDeliveredMs } = sink;
    const ofUpstream = forUpstreams.find((one) => one.project === project)?.envelopes ?? 0;
    return {
      name,
      state,
      reason,
      limits: project === null ? [] : this.#limitsOf(project),
      waiting: project === null ? forStore : ofUpstream,
      lastDelivered: lastDeliveredMs === null ? null : timeText(lastDeliveredMs),
    };
  }

  #limitsOf(project: string): SinkDetail['limits'] {
    return this.#spool.limits.of(project).flatMap(({ categories, untilMs }) => {
      const until = timeText(untilMs);
      return (categories.length === 0 ? ['all'] : categories).map((category) => ({ category, until }));
    });
  }
}

function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
