import type {
  DeadLetterDetail,
  DeadLetterList,
  DeadLetterSummary,
  DeliveryState,
  DeliveryVerdict,
  SinkDetail,
  StrandedDsn,
} from '../../contract/delivery-api.ts';
import { balanceOf } from '../../outcome/balance.ts';
import type { DeliveryHistory } from '../../outcome/delivery-history.ts';
import type { RejectedDsns } from '../../outcome/rejected-dsns.ts';
import type { RecentRejections } from '../../outcome/recent-rejections.ts';
import type { Relay, SinkReport } from '../../relay/relay.ts';
import { strandedIn } from '../../spool/backlog.ts';
import type { Spool } from '../../spool/spool.ts';
import type { DeadLetter, DiscardedBatch, SpoolCounts } from '../../spool/protocol/spool-messages.ts';
import type { EventStore } from '../../store/event-store.ts';
import { CRITICAL } from '../../envelope/envelope-class.ts';
import { PAGE_ROWS } from '../../contract/issues-api.ts';
import type { PolicyDirectives } from '../../contract/page-policy.ts';
import { currentVerdict, limitsOf } from './current-verdict.ts';
import { deadLetterId, numberIn, spoolName } from './dead-letter-id.ts';
import { policyFindings } from './policy-findings.ts';
import { isoTime, isoTimeOrNull } from '../../time/iso.ts';

interface DeliveryParts {
  readonly spool: Spool;
  readonly relay: Relay;
  readonly store: EventStore;
  readonly rejections: Pick<RecentRejections, 'counts' | 'since'>;
  readonly rejectedDsns: Pick<RejectedDsns, 'rows'>;
  readonly history: Pick<DeliveryHistory, 'lastHours'>;
}

/** Reports the ledger, the queue and the sinks to operators, and acts on dead letters. */
export class DeliveryReport {
  readonly #spool: Spool;
  readonly #relay: Relay;
  readonly #store: EventStore;
  readonly #rejections: Pick<RecentRejections, 'counts' | 'since'>;
  readonly #rejectedDsns: Pick<RejectedDsns, 'rows'>;
  readonly #history: Pick<DeliveryHistory, 'lastHours'>;
  readonly #host: string | null;
  readonly #policy: PolicyDirectives | null;
  readonly #errorAgeMs: number;

  /**
   * @param host name of this host when several replicas share the store; null for a single process.
   * @param policy sources that the settings add to the client's policy; null where it has none or its own.
   * @param errorAgeMs age at which queued errors expire.
   */
  constructor(
    { spool, relay, store, rejections, rejectedDsns, history }: DeliveryParts,
    host: string | null,
    policy: PolicyDirectives | null,
    errorAgeMs: number,
  ) {
    this.#errorAgeMs = errorAgeMs;
    this.#policy = policy;
    this.#spool = spool;
    this.#relay = relay;
    this.#store = store;
    this.#rejections = rejections;
    this.#rejectedDsns = rejectedDsns;
    this.#history = history;
    this.#host = host;
  }

  async state(): Promise<DeliveryState> {
    const counts = await this.#spool.ask('recentCounts');
    const { ledger, queued, classes, discards, fill, deadLetters, bytes, maxBytes } = counts;
    const oldestErrorMs = classes.find((ofClass) => ofClass.class === CRITICAL)?.oldestReceivedAtMs ?? null;
    const balance = balanceOf(ledger, queued);
    return {
      process: this.#host === null ? null : `${this.#host}, spool ${spoolName(this.#spool.identity)}`,
      verdict: this.verdict(counts),
      errorsExpire: isoTimeOrNull(oldestErrorMs === null ? null : oldestErrorMs + this.#errorAgeMs),
      ...balance,
      ledger,
      classes: classes.map(({ oldestReceivedAtMs, ...ofClass }) => ({
        ...ofClass,
        oldest: isoTimeOrNull(oldestReceivedAtMs),
      })),
      droppedItems: discards,
      fill,
      bytes,
      maxBytes,
      deadLetters,
      // The ledger is useful without the store's count.
      stored: await this.#store.ask('storedEvents').catch(() => null),
      sinks: this.#relay.sinks().map((sink) => this.#detailOf(sink, counts)),
      stranded: this.#strandedIn(counts),
      rejected: this.#rejections.counts(),
      rejectedSince: this.#rejections.since,
      rejectedDsns: this.#rejectedDsns.rows(),
      history: this.#history.lastHours(),
      ...(await this.#findings()),
    };
  }

  /** Returns the verdict; without `counts` from memory alone, so that it costs the spool's thread nothing. */
  verdict(counts?: SpoolCounts): DeliveryVerdict {
    return currentVerdict({ spool: this.#spool, relay: this.#relay }, counts);
  }

  async #findings(): Promise<Pick<DeliveryState, 'policy' | 'policyLeftOut'>> {
    const list = this.#policy === null ? null : await this.#store.ask('violations').catch(() => null);
    if (this.#policy === null || list === null) return { policy: null, policyLeftOut: 0 };
    return { policy: policyFindings(list.violations, this.#policy), policyLeftOut: list.leftOut };
  }

  /** Returns the numbers of dead letters in this process's spool; undefined if one of them is in another spool. */
  own(ids: readonly string[]): readonly number[] | undefined {
    const numbers = ids
      .map((id) => numberIn(this.#spool.identity, id))
      .filter((number) => number !== undefined);
    return numbers.length === ids.length ? numbers : undefined;
  }

  /** Returns a page of dead letters. @param beforeId number in `next` of the previous page, or null for the first page. */
  async deadLetters(beforeId: number | null): Promise<DeadLetterList> {
    const rows = await this.#spool.ask('deadLetters', beforeId, PAGE_ROWS);
    const last = rows.at(-1);
    return {
      deadLetters: rows.map((letter) => this.#summaryOf(letter)),
      next: rows.length < PAGE_ROWS || last === undefined ? null : this.#idOf(last),
    };
  }

  /** Returns the content of a dead letter, secrets removed; undefined for an unknown one. */
  async deadLetter(id: number): Promise<DeadLetterDetail | undefined> {
    const opened = await this.#spool.ask('deadLetter', id);
    if (opened === null) return undefined;
    const { letter, bytes, isWhole, origin, userAgent } = opened;
    const isEnvelope = letter.reason !== 'malformed';
    const content = await this.#store.ask('deadLetterItems', bytes, { isWhole, isEnvelope });
    return { ...this.#summaryOf(letter), ...content, origin, userAgent };
  }

  /** Tries each failing destination at once. Returns their number. */
  retry(): number {
    return this.#relay.retryNow();
  }

  /** Sends dead letters to their upstreams again. Returns their number. */
  redrive(ids: readonly number[]): Promise<number> {
    return this.#spool.redrive(ids);
  }

  /** Deletes dead letters. Returns their number. */
  async discard(ids: readonly number[]): Promise<number> {
    return (await this.#spool.ask('discard', ids)).discarded;
  }

  /** Returns the envelopes that wait for this DSN; undefined without any, and if it is in the settings. */
  async stranded(project: string): Promise<StrandedDsn | undefined> {
    return this.#strandedIn(await this.#spool.ask('counts')).find((one) => one.project === project);
  }

  /** Discards the envelopes that wait for a stranded DSN, batch by batch. Returns their number. */
  async discardWaiting({ project }: StrandedDsn): Promise<number> {
    let done = 0;
    for (let afterId: number | null = 0; afterId !== null;) {
      const { discarded, next }: DiscardedBatch = await this.#spool.ask('discardWaiting', project, afterId);
      done += discarded;
      afterId = next;
    }
    return done;
  }

  #strandedIn(counts: SpoolCounts): readonly StrandedDsn[] {
    const upstreams = new Set(this.#relay.sinks().flatMap(({ project }) => project ?? []));
    return strandedIn(counts, upstreams).map(({ project, envelopes, expiresMs = null }) => ({
      project,
      queued: envelopes,
      expires: isoTimeOrNull(expiresMs),
    }));
  }

  #summaryOf(letter: DeadLetter): DeadLetterSummary {
    const { receivedAtMs, deadLetteredAtMs, ...rest } = letter;
    return {
      ...rest,
      id: this.#idOf(letter),
      received: isoTimeOrNull(receivedAtMs),
      deadLettered: isoTimeOrNull(deadLetteredAtMs),
    };
  }

  #idOf({ id }: DeadLetter): string {
    return deadLetterId(id, this.#spool.identity);
  }

  #detailOf(sink: SinkReport, { forUpstreams, forStore }: SpoolCounts): SinkDetail {
    const { name, place, key, project, state, reason, sinceMs, lastDeliveredMs } = sink;
    const { nextAttemptMs, rejections } = sink;
    const ofUpstream = forUpstreams.find((one) => one.project === project)?.envelopes ?? 0;
    return {
      name,
      place,
      key,
      state,
      reason,
      ...(sinceMs !== undefined && { since: isoTime(sinceMs) }),
      limits: limitsOf(this.#spool, project).flatMap(({ categories, untilMs }) => {
        const until = isoTime(untilMs);
        return (categories.length === 0 ? ['all'] : categories).map((category) => ({ category, until }));
      }),
      queued: project === null ? forStore : ofUpstream,
      lastDelivered: isoTimeOrNull(lastDeliveredMs),
      ...(nextAttemptMs !== undefined && { nextAttempt: isoTime(nextAttemptMs) }),
      ...(rejections !== undefined && { rejections }),
    };
  }
}
