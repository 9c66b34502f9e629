/** What became of the envelopes: the ledger, what is held, the sinks, and the dead letters. Times are ISO 8601, UTC. */

export const CONSOLE_DELIVERY_PATH = '/console/api/delivery';
export const CONSOLE_DEAD_LETTERS_PATH = '/console/api/dead-letters';

/** A number of envelopes with one end; `reason` is empty for accepted and delivered. */
export interface EndCount {
  readonly fate: string;
  readonly reason: string;
  readonly count: number;
}

/** Envelopes held of one class, 0 most important. */
export interface HeldClass {
  readonly class: number;
  readonly envelopes: number;
  readonly bytes: number;
  readonly oldest: string | null;
}

/** Envelopes the tunnel turned away for one reason. */
export interface RefusedCount {
  readonly reason: string;
  readonly count: number;
}

/** Items let go of, as client reports tell upstreams. */
export interface DiscardedItems {
  readonly reason: string;
  readonly category: string;
  readonly quantity: number;
}

/** One sink of the relay: an upstream, or the store. */
export interface SinkDetail {
  /** `store`, or `upstream` with its host, project and the beginning of its key; as in the metrics. */
  readonly name: string;
  readonly state: 'flowing' | 'failing' | 'paused';
  /** Why it does not flow, as a code (`timeout`, `status_503`, `dsn_refused`); null while it does. */
  readonly reason: string | null;
  /** Categories that are limited now, and until when; `all` for every one. */
  readonly limits: readonly { readonly category: string; readonly until: string }[];
  /** Envelopes that wait for it. */
  readonly waiting: number;
  readonly lastDelivered: string | null;
}

/** Answer of `GET /console/api/delivery`. */
export interface DeliveryState {
  /** Host and spool of the process that answers; null where it is the only one. Others have other figures. */
  readonly process: string | null;
  readonly accepted: number;
  readonly delivered: number;
  readonly held: number;
  readonly deadLettered: number;
  readonly expired: number;
  readonly shed: number;
  /** Forgotten before they were delivered, as somebody asked for it; see erasure-api.ts. */
  readonly erased: number;
  /** Accepted and nowhere: 0, or something was lost. */
  readonly missing: number;
  readonly ends: readonly EndCount[];
  readonly classes: readonly HeldClass[];
  readonly discards: readonly DiscardedItems[];
  /** Share of the spool's cap that is used, 0 to 1. */
  readonly fill: number;
  readonly deadLetters: number;
  /** Bytes used of the spool, and its cap. */
  readonly bytes: number;
  readonly maxBytes: number;
  /** Events the store has taken so far, those it has deleted since included; null while it cannot be asked. */
  readonly stored: number | null;
  readonly sinks: readonly SinkDetail[];
  /** What the tunnel turned away in the last 24 hours of this process, the most frequent first: it is in no other figure. */
  readonly refused: readonly RefusedCount[];
}

/** An envelope no sink will take, without its bytes. */
export interface DeadLetterSummary {
  /** Names the spool that has it, too: the API answers 409 to ids of another process's spool. */
  readonly id: string;
  readonly project: string;
  readonly eventId: string | null;
  readonly received: string;
  readonly died: string;
  readonly reason: string;
  readonly status: number | null;
  readonly detail: string;
  readonly bytes: number;
  /** Whether it can be sent again. */
  readonly canRedrive: boolean;
}

/** Answer of `GET /console/api/dead-letters`, newest first. `next` is the cursor of the following page. */
export interface DeadLetterList {
  readonly deadLetters: readonly DeadLetterSummary[];
  readonly next: string | null;
}

/** Body of `POST /console/api/dead-letters/redrive` and `…/discard`. */
export interface DeadLetterChoice {
  readonly ids: readonly string[];
}

/** Their answer: how many it was done with; the others are gone, or cannot be sent again. */
export interface DeadLetterResult {
  readonly done: number;
}

/** Answer of `GET /console/api/dead-letters/:id`: what is in it, scrubbed. Only a redrive uses the bytes. */
export interface DeadLetterDetail extends DeadLetterSummary {
  readonly items: readonly DeadLetterItem[];
  /** Why it could not be read whole: it was cut, or is malformed; else null. */
  readonly unread: string | null;
}

export interface DeadLetterItem {
  readonly type: string;
  readonly bytes: number;
  /** Scrubbed JSON of an event or another JSON item, indented, cut at 64 KiB; null for what is not JSON. */
  readonly text: string | null;
}

/**
 * Where an event is on its way upstream. `kept_here`: its project has no upstream. `discarded`: an operator dropped its
 * dead letter. `unknown`: the spool cannot be asked now, or the event came through another one (a replica's, or one
 * from before the spool was made anew).
 */
export interface EventDelivery {
  readonly state:
    'forwarded' | 'waiting' | 'dead_lettered' | 'expired' | 'shed' | 'discarded' | 'kept_here' | 'unknown';
  /** When it came to that, where it is known. */
  readonly time: string | null;
  /** Tries it took, or that failed so far, where it is known. */
  readonly tries: number | null;
  /** Why it waits or was not taken: `status_413`, `rate_limited`, `timeout`, …; else null. */
  readonly reason: string | null;
  /** Host and project of the upstream it is for. */
  readonly upstream: string | null;
  /** Of the dead letter. */
  readonly deadLetterId: string | null;
}
