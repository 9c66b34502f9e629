import type { RateLimit } from '../../envelope/rate-limits.ts';
import type { Discard, Fate, LedgerFate, LossReason } from '../../outcome/outcome.ts';
import type { PackedDeliveries } from './packed-deliveries.ts';
import type { PackedRows } from './packed-envelopes.ts';
import type { MovedFile } from '../../sqlite/rescue-file.ts';
import type { Lifetime, ProjectBytes, SenderMeta } from '../../sink/queued-envelope.ts';
import type { Refusal } from '../../sink/sink.ts';

/* Messages between the spool and its worker thread, and the values that both use. Types and pure functions only. */

/** Fates from best to worst; the file stores their index. */
export const FATES: readonly Fate[] = ['delivered', 'dropped', 'expired', 'dead_lettered'];

/** Returns the worse fate, for an envelope whose sinks disagree. */
export function worseFate(one: Fate, other: Fate): Fate {
  return FATES.indexOf(one) >= FATES.indexOf(other) ? one : other;
}

/** Why an envelope was not delivered to a sink. */
export interface Loss {
  readonly reason: LossReason;
  /** Whether a client report includes it; false if the upstream counted the loss itself. */
  readonly isReported: boolean;
  /** Set if a copy is stored as a dead letter. */
  readonly refusal: Refusal | null;
}

/** The outcome of an envelope at the sinks of `bits`. */
export interface SettledEnvelope {
  readonly id: number;
  readonly bits: number;
  readonly fate: Exclude<Fate, 'delivered'>;
  readonly loss: Loss;
}

/** Items of a project that were discarded; counted beside the ledger, for its client reports. */
export interface ProjectDiscard extends Discard {
  readonly project: string;
  /**
   * The envelope that they were cut from, and the sinks that it then settles for: counted only while one of them misses
   * it, so that a commit whose confirmation was lost counts once. Null: of an envelope that was never stored.
   */
  readonly cutFrom: { readonly id: number; readonly bits: number } | null;
}

/** Read position of a dispatcher: for each class, the last id that it has read. */
export type Cursors = readonly number[];

/** A query for envelopes of one dispatcher. */
export interface ReadyQuery {
  readonly bit: number;
  /** DSN of one project, or null for all. */
  readonly project: string | null;
  readonly pick: OldestEnvelopes | NewestEnvelope | OneEnvelope;
}

/** The next envelopes of each class, from its cursor on. */
export interface OldestEnvelopes {
  readonly from: 'oldest';
  readonly cursors: Cursors;
  /** Highest id to read. */
  readonly untilId: number;
  /** Ids to leave out. */
  readonly except: readonly number[];
  /** Most rows of each class. */
  readonly limits: readonly number[];
  readonly maxBytes: number;
}

/** The newest envelope of the highest class that has one. */
interface NewestEnvelope {
  readonly from: 'newest';
  readonly untilId: number;
  readonly except: readonly number[];
}

interface OneEnvelope {
  readonly from: 'id';
  readonly id: number;
}

export interface SpoolLimits {
  /** Cap of the envelopes on disk, bytes. */
  readonly maxBytes: number;
  /** Ages at which envelopes expire, ms, by their lifetime. */
  readonly maxAgeMs: Readonly<Record<Lifetime, number>>;
  readonly deadLetters: { readonly maxBytes: number; readonly maxRows: number; readonly maxAgeMs: number };
  /** Limits of the deduplication keys. */
  readonly dedup: { readonly maxKeys: number; readonly maxAgeMs: number };
}

/** Queued envelopes of one class. */
export interface ClassCounts {
  readonly class: number;
  readonly envelopes: number;
  readonly bytes: number;
  readonly oldestReceivedAtMs: number | null;
}

/** A number of envelopes with one outcome; `reason` is empty for accepted and delivered. */
export interface LedgerLine {
  readonly fate: LedgerFate;
  readonly reason: string;
  readonly count: number;
}

/** Envelopes of one project that wait for its upstream. */
export interface WaitingEnvelopes {
  readonly project: string;
  readonly envelopes: number;
  /** Time at which the first of them expires; absent if a damaged disk has made it unreadable. */
  readonly expiresMs?: number;
}

/** State of the spool; the ledger counts since the file was created. */
export interface SpoolCounts {
  readonly queued: number;
  readonly classes: readonly ClassCounts[];
  /** Envelopes that wait for an upstream, by project; projects without any are absent. */
  readonly forUpstreams: readonly WaitingEnvelopes[];
  /** Envelopes that wait for the store. */
  readonly forStore: number;
  readonly ledger: readonly LedgerLine[];
  /** Items discarded since the file was created, reported or not. */
  readonly discards: readonly Discard[];
  readonly deadLetters: number;
  /** Share of the cap that is used, 0 to 1. */
  readonly fill: number;
  readonly bytes: number;
  /** The cap. */
  readonly maxBytes: number;
}

/** A dead letter without its bytes. Its times are null if they are unreadable. */
export interface DeadLetter {
  readonly id: number;
  readonly project: string;
  readonly eventId: string | null;
  readonly receivedAtMs: number | null;
  readonly deadLetteredAtMs: number | null;
  readonly reason: string;
  readonly status: number | null;
  readonly detail: string;
  readonly bytes: number;
  /** Whether it can be sent again: a complete, valid envelope, neither truncated nor corrupt. */
  readonly canRedrive: boolean;
}

/** A dead letter with its stored bytes: an envelope as received, its beginning, or a malformed body. */
export interface OpenedDeadLetter {
  readonly letter: DeadLetter;
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
  /** Of its sender. */
  readonly origin: string | null;
  readonly userAgent: string | null;
}

/** A body that is not a valid envelope, sent with an allowed DSN. */
export interface MalformedBody {
  readonly project: string;
  readonly receivedAtMs: number;
  readonly sender: SenderMeta;
  readonly body: Uint8Array;
  readonly detail: string;
}

/** Rate limits that an upstream set for a project. */
export interface ProjectLimits {
  readonly project: string;
  readonly limits: readonly RateLimit[];
}

/** Everything that one transaction writes. */
export interface CommitWork {
  readonly appends: PackedRows;
  readonly delivered: PackedDeliveries;
  readonly settled: readonly SettledEnvelope[];
  /** Number of envelopes that were answered with 200 and have no sink. */
  readonly unwanted: number;
  readonly discarded: readonly ProjectDiscard[];
  readonly malformed: readonly MalformedBody[];
  readonly rateLimits: readonly ProjectLimits[];
}

/** A scan of queued envelopes or dead letters for an erasure. */
export interface ErasureScan {
  readonly from: 'queued' | 'dead';
  /** 0 for the first scan, then `next` of the one before. */
  readonly afterId: number;
  /** Only rows received before this time. */
  readonly beforeMs: number;
}

export interface ScannedBodies {
  readonly bodies: readonly ProjectBytes[];
  readonly next: number | null;
}

/** A batch of discarded envelopes. `next` is the id to go on after; null after the last batch. */
export interface DiscardedBatch {
  readonly discarded: number;
  readonly next: number | null;
}

/** Queued envelopes or dead letters to erase. */
export interface ErasureTarget {
  readonly from: ErasureScan['from'];
  readonly ids: readonly number[];
}

/** Start data of the worker. */
export interface SpoolWorkerData {
  readonly directory: string;
  readonly limits: SpoolLimits;
  /** Whether the thread before ended because its file is damaged. */
  readonly isDamaged?: boolean;
}

/**
 * Most envelopes of one lifetime that expire, or of one project that are discarded, in one transaction, as appends wait for
 * it. A full batch: others may be left.
 */
export const EXPIRE_BATCH = 1_000;

/** Result in place of an id: a duplicate, or no room. */
export const DUPLICATE = 0;
export const NO_ROOM = -1;

/** Why the spool refuses new errors. */
export type RejectingCause = (typeof REJECTING_CAUSES)[number];
export const REJECTING_CAUSES = ['disk_full', 'spool_full'] as const;

export interface Committed {
  /** Id of each append in order, {@link DUPLICATE} or {@link NO_ROOM}. */
  readonly ids: readonly number[];
  /** Messages of steps that failed because of a bug, while the rest was written. */
  readonly faults: readonly string[];
  /** Rows that its settlements removed. */
  readonly freed: number;
  readonly fill: number;
  readonly rejecting: RejectingCause | null;
}

export interface ReadyBatch {
  readonly envelopes: PackedRows;
  /** The new cursors of {@link OldestEnvelopes}; empty for other queries. */
  readonly cursors: Cursors;
  /** Ids of corrupt rows; they are dead letters now. */
  readonly corrupt: readonly number[];
}

export interface Opened {
  /** The damaged file that was replaced; null where the file was read, or made. */
  readonly moved: MovedFile | null;
  /** Acknowledged envelopes that are missing from a damaged file; null where their number is damaged itself. */
  readonly lost: number | null;
  readonly lastId: number;
  /** Identifies the file; see db/sequence.ts. */
  readonly identity: number;
  readonly fill: number;
  readonly rateLimits: readonly ProjectLimits[];
}
