import type { IssueKind } from '../../contract/console-api.ts';
import type { StoredEvent } from '../stored-event.ts';

/** An event read, mapped, digested and scrubbed: what is left is to write it. */
export interface NewEvent {
  /** Canonical DSN. */
  readonly project: string;
  /** 32 hex digits. */
  readonly eventId: string;
  readonly digestKey: string;
  /** As people see it. */
  readonly digest: string;
  readonly kind: IssueKind;
  readonly title: string;
  readonly receivedMs: number;
  readonly occurredMs: number;
  /** Digest of the server's failure that this one of the browser came from. */
  readonly related: string | null;
  readonly release: string | null;
  readonly environment: string | null;
  readonly path: string | null;
  readonly browser: string | null;
  readonly person: string | null;
  readonly stored: StoredEvent;
}

/** What a person wrote about a failure. */
export interface NewFeedback {
  readonly project: string;
  readonly feedbackId: string;
  /** The event it speaks of. */
  readonly eventId: string | null;
  readonly receivedMs: number;
  readonly name: string | null;
  readonly contact: string | null;
  readonly message: string;
  readonly url: string | null;
}

export interface NewRows {
  readonly events: readonly NewEvent[];
  readonly feedback: readonly NewFeedback[];
}
