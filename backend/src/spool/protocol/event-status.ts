import type { Fate } from '../../outcome/outcome.ts';

/* Status of single events in the spool, for the console. */

/** The dead letter of one event. */
export interface DeadLetterOfEvent {
  readonly id: number;
  readonly reason: string;
  readonly status: number | null;
  /** Null if it is unreadable. */
  readonly deadLetteredAtMs: number | null;
}

/** `discarded`: an operator discarded its dead letter. */
type LostEventFate = Exclude<Fate, 'delivered' | 'erased'> | 'discarded';

/** The loss of one event. */
export interface EventLoss {
  readonly fate: LostEventFate;
  /** As in the ledger. */
  readonly reason: string;
  /** HTTP status of the upstream that refused it. */
  readonly status: number | null;
  /** Null if it is unreadable. */
  readonly atMs: number | null;
}

/** A query for the delivery of one event to its upstream; `receivedAtMs` is that of its envelope. */
export interface TraceWork {
  readonly eventId: string;
  readonly project: string;
  readonly receivedAtMs: number;
}

/** Status of an event on its way upstream; all null if its envelope was settled or never queued. */
export interface EventStatus {
  /** Id of the envelope that is queued for its upstream. */
  readonly queuedId: number | null;
  readonly deadLetter: DeadLetterOfEvent | null;
  readonly lost: EventLoss | null;
}

/** Events that the store does not have. */
export interface MissingEvents {
  /** Envelopes that are queued for the store. */
  readonly queued: number;
  /** Status of the first known one of the requested events; null if the spool knows none of them. */
  readonly event:
    | (Pick<EventLoss, 'reason' | 'atMs'> & {
        readonly eventId: string;
        readonly fate: LostEventFate | 'queued';
      })
    | null;
}
