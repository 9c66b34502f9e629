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

/** Items let go of, as client reports tell upstreams. */
export interface DiscardedItems {
  readonly reason: string;
  readonly category: string;
  readonly quantity: number;
}

/** Answer of `GET /console/api/delivery`. */
export interface DeliveryState {
  readonly accepted: number;
  readonly delivered: number;
  readonly held: number;
  readonly deadLettered: number;
  readonly expired: number;
  readonly shed: number;
  /** Accepted and nowhere: 0, or something was lost. */
  readonly missing: number;
  readonly ends: readonly EndCount[];
  readonly classes: readonly HeldClass[];
  readonly discards: readonly DiscardedItems[];
  /** Share of the spool's cap that is used, 0 to 1. */
  readonly fill: number;
  readonly deadLetters: number;
  readonly sinks: readonly { readonly name: string; readonly state: 'flowing' | 'failing' | 'paused' }[];
}

/** An envelope no sink will take, without its bytes. */
export interface DeadLetterSummary {
  readonly id: number;
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
  readonly ids: readonly number[];
}

/** Their answer: how many it was done with; the others are gone, or cannot be sent again. */
export interface DeadLetterResult {
  readonly done: number;
}
