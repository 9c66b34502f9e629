import type { Fate } from '../../outcome/outcome.ts';

/** What the spool knows of single events, as it is asked for by people. */

/** A dead letter as the end of one event. */
export interface DeadLetterOfEvent {
  readonly id: number;
  readonly reason: string;
  readonly status: number | null;
  readonly diedAtMs: number;
}

/** `discarded`: it was a dead letter, and an operator dropped it. */
export type LostEventFate = Exclude<Fate, 'delivered' | 'erased'> | 'discarded';

/** The loss of one event. */
interface EventLoss {
  readonly fate: LostEventFate;
  /** `status_413` where an upstream said so, else why the ledger counts it as lost. */
  readonly reason: string;
  readonly atMs: number;
}

/** An event whose way upstream is asked for; `receivedAtMs` as its envelope had it. */
export interface TraceWork {
  readonly eventId: string;
  readonly project: string;
  readonly receivedAtMs: number;
}

/** What the spool knows of an event on its way upstream; all null: its envelope was settled, or was never here. */
export interface EventStatus {
  /** Id of the envelope that still waits for its upstream. */
  readonly heldId: number | null;
  readonly deadLetter: DeadLetterOfEvent | null;
  readonly lost: EventLoss | null;
}

/** What the store does not have. */
export interface MissingEvents {
  /** Envelopes that wait for it. */
  readonly waiting: number;
  /** What became of one of the events that were asked for; null where that is not known. */
  readonly event:
    (Omit<EventLoss, 'fate'> & { readonly eventId: string; readonly fate: LostEventFate | 'waiting' }) | null;
}
