import type { RateLimit } from '../../envelope/rate-limits.ts';
import type { Discard, Fate, LossReason } from '../../outcome/outcome.ts';
import type { EventStatus, MissingEvents, TraceWork } from './event-status.ts';
import type { PackedDeliveries } from './packed-deliveries.ts';
import type { PackedEnvelopes } from './packed-envelopes.ts';
import type { SenderMeta } from '../../sink/queued-envelope.ts';

/** What the spool and its worker thread say to each other, and the values both use. */

/** Fates from best to worst; their rank is what the file stores. */
export const FATES: readonly Fate[] = ['delivered', 'shed', 'expired', 'dead_lettered'];

/** The fate of an envelope whose sinks disagree. */
export function worseFate(one: Fate, other: Fate): Fate {
  return FATES.indexOf(one) >= FATES.indexOf(other) ? one : other;
}

/** What an upstream said when it refused an envelope for good. */
export interface Refusal {
  readonly status: number | null;
  /** Its `X-Sentry-Error`, cut; shown to operators only. */
  readonly detail: string;
}

/** Why an envelope was not delivered to a sink. */
export interface Loss {
  readonly reason: LossReason;
  /** Whether a client report has to tell the upstream; not where the upstream counted the loss itself. */
  readonly isReported: boolean;
  /** There where a copy is kept as a dead letter. */
  readonly refusal: Refusal | null;
}

/** Sinks that are done with an envelope. */
export interface SettledEnvelope {
  readonly id: number;
  readonly bits: number;
  readonly fate: Fate;
  readonly loss: Loss | null;
  /** Digest of its error, told by the store. */
  readonly digest: string | null;
  /** Items that were cut out of it before it went on; counted beside the ledger. */
  readonly cut: readonly Discard[];
}

/** Where a lane stands on the disk: for each class, the last id it has seen. */
export type Cursors = readonly number[];

/** A look for the next envelopes of one lane. */
export interface Claim {
  readonly cursors: Cursors;
  /** Rows above it are not looked at. */
  readonly untilId: number;
  readonly bit: number;
  /** Only this project's, or null for all. */
  readonly project: string | null;
  /** Most rows of each class. */
  readonly limits: readonly number[];
  readonly maxBytes: number;
}

export interface SpoolLimits {
  /** Cap of the envelopes on disk, bytes. */
  readonly maxBytes: number;
  /** Ages at which envelopes expire, ms, by their lifetime. */
  readonly maxAgeMs: Readonly<Record<'error' | 'check_in' | 'other', number>>;
  readonly deadLetters: { readonly maxBytes: number; readonly maxRows: number; readonly maxAgeMs: number };
  /** Keys by which repeats are known. */
  readonly dedup: { readonly maxKeys: number; readonly maxAgeMs: number };
}

/** What lies in the spool of one class. */
export interface ClassCounts {
  readonly class: number;
  readonly envelopes: number;
  readonly bytes: number;
  readonly oldestReceivedAtMs: number | null;
}

/** A number of envelopes with one end; `reason` is empty for accepted and delivered. */
export interface LedgerLine {
  readonly fate: Fate | 'accepted';
  readonly reason: string;
  readonly count: number;
}

/** State of the spool; the ledger counts since the file was made. */
export interface SpoolCounts {
  readonly held: number;
  readonly classes: readonly ClassCounts[];
  /** Envelopes that wait for an upstream, by project; none for projects for which none do. */
  readonly forUpstreams: readonly { readonly project: string; readonly envelopes: number }[];
  /** Envelopes that wait for the store. */
  readonly forStore: number;
  readonly ledger: readonly LedgerLine[];
  /** Items let go of since the file was made, told or not. */
  readonly discards: readonly Discard[];
  readonly deadLetters: number;
  /** Share of the cap that is used, 0 to 1. */
  readonly fill: number;
  readonly bytes: number;
  /** The cap. */
  readonly maxBytes: number;
}

/** What is known of a dead letter without its bytes. */
export interface DeadLetter {
  readonly id: number;
  readonly project: string;
  readonly eventId: string | null;
  readonly receivedAtMs: number;
  readonly diedAtMs: number;
  readonly reason: string;
  readonly status: number | null;
  readonly detail: string;
  readonly bytes: number;
  /** Whether it can be sent again: all its bytes are here, it was an envelope, and has not rotted. */
  readonly canRedrive: boolean;
}

/** A dead letter with the bytes that are kept: an envelope as it came, its beginning, or a body that is none. */
export interface OpenedDeadLetter {
  readonly letter: DeadLetter;
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
}

/** A body that is no envelope, though its DSN is one of ours. */
export interface MalformedBody {
  readonly project: string;
  readonly receivedAtMs: number;
  readonly sender: SenderMeta;
  readonly body: Uint8Array;
  readonly detail: string;
}

/** Limits an upstream told for a project. */
export interface ProjectLimits {
  readonly project: string;
  readonly limits: readonly RateLimit[];
}

/** Everything one transaction writes. */
export interface CommitWork {
  readonly appends: PackedEnvelopes;
  readonly delivered: PackedDeliveries;
  readonly settled: readonly SettledEnvelope[];
  /** Envelopes that were answered 200 and that nobody wants. */
  readonly unwanted: number;
  /** What was refused before it got here, by project. */
  readonly refused: readonly (Discard & { readonly project: string })[];
  readonly malformed: readonly MalformedBody[];
  readonly limits: readonly ProjectLimits[];
}

/** A look through what is held, or dead, for what is to be forgotten. */
export interface ErasureLook {
  readonly from: 'held' | 'dead';
  /** 0 to begin with, then `next` of the look before. */
  readonly afterId: number;
  /** Only what came in before. */
  readonly beforeMs: number;
}

/** An envelope as it lies there; `isGzip` 1: `stored` is the whole of it, compressed. */
export interface HeldBody {
  readonly id: number;
  readonly receivedAtMs: number;
  readonly eventId: string | null;
  readonly header: Uint8Array;
  readonly stored: Uint8Array;
  readonly isGzip: number;
}

export interface LookedThrough {
  readonly bodies: readonly HeldBody[];
  readonly next: number | null;
}

export interface Erase {
  readonly from: ErasureLook['from'];
  readonly ids: readonly number[];
}

/** Those that were still there. */
export interface Erased {
  readonly ids: readonly number[];
}

/** Start data of the worker. */
export interface SpoolWorkerData {
  readonly directory: string;
  readonly limits: SpoolLimits;
}

/** What the worker can be asked, and what it answers. */
export interface SpoolCalls {
  readonly commit: { readonly work: CommitWork; readonly reply: Committed };
  readonly claim: { readonly work: Claim; readonly reply: Claimed };
  readonly counts: { readonly work: null; readonly reply: SpoolCounts };
  readonly expire: {
    readonly work: { readonly nowMs: number };
    readonly reply: { readonly expired: number };
  };
  readonly report: {
    readonly work: { readonly projects: readonly string[]; readonly nowMs: number };
    readonly reply: { readonly lastId: number };
  };
  readonly deadLetters: {
    readonly work: { readonly beforeId: number | null; readonly limit: number };
    readonly reply: readonly DeadLetter[];
  };
  readonly deadLetter: { readonly work: { readonly id: number }; readonly reply: OpenedDeadLetter | null };
  readonly trace: { readonly work: TraceWork; readonly reply: EventStatus };
  readonly missing: {
    /** Event ids, or their beginnings. */
    readonly work: { readonly eventIds: readonly string[] };
    readonly reply: MissingEvents;
  };
  readonly redrive: {
    readonly work: { readonly ids: readonly number[] };
    readonly reply: { readonly redriven: number; readonly lastId: number };
  };
  readonly discard: {
    readonly work: { readonly ids: readonly number[] };
    readonly reply: { readonly discarded: number };
  };
  readonly look: { readonly work: ErasureLook; readonly reply: LookedThrough };
  readonly erase: { readonly work: Erase; readonly reply: Erased };
  readonly truncateWal: { readonly work: null; readonly reply: null };
  readonly close: { readonly work: null; readonly reply: null };
}

/** Most envelopes of one lifetime that expire in one transaction, which appends wait for; as many: there may be others. */
export const EXPIRE_BATCH = 1_000;

/** Verdict in place of an id: known already, or no room. */
export const DUPLICATE = 0;
export const NO_ROOM = -1;

export interface Committed {
  /** Id of each append in order, {@link DUPLICATE} or {@link NO_ROOM}. */
  readonly ids: readonly number[];
  /** What a bug of ours kept from being written, though the rest was. */
  readonly faults: readonly string[];
  readonly fill: number;
}

export interface Claimed {
  readonly envelopes: PackedEnvelopes;
  readonly cursors: Cursors;
  /** Rows whose bytes rotted; they are dead letters now. */
  readonly corrupt: readonly number[];
}

export interface Opened {
  /** Acknowledged envelopes that a damaged file no longer has. */
  readonly lost: number;
  readonly lastId: number;
  /** See identity.ts. */
  readonly identity: number;
  readonly fill: number;
  readonly limits: readonly ProjectLimits[];
}

export type SpoolCall = keyof SpoolCalls;

/** Those that put envelopes in, and say up to which id. */
export type GrowingCall = 'report' | 'redrive';
