import type { Digest } from '../../digest/digest.ts';
import type { IssueKind } from '../../contract/event-api.ts';
import type { EventFacts } from '../event/event-facts.ts';
import type { Fields } from '../event/fields.ts';

/** An event read, mapped and digested, so that it is known which fault it is of. Nothing of it is scrubbed yet. */
export interface ReadEvent {
  /** Canonical DSN. */
  readonly project: string;
  /** 32 hex digits. */
  readonly eventId: string;
  readonly digest: Digest;
  readonly kind: IssueKind;
  readonly receivedMs: number;
  readonly occurredMs: number;
  /** Digest of the server's failure that this one of the browser came from. */
  readonly related: string | null;
  /** Whether it came from Errata's own reporting. */
  readonly isOwn: boolean;
  /** Of the sender. */
  readonly userAgent: string | null;
  readonly body: Fields;
  /** Why a browser's stack stayed minified; see StoredEvent. */
  readonly unmapped: string | null;
}

/** An event as it is written: scrubbed, whole or in brief. */
export interface NewEvent extends EventFacts {
  readonly projectId: number;
  /** Which issue, across projects; see issueKey. */
  readonly issueKey: string;
  readonly eventId: string;
  readonly digestKey: string;
  readonly digest: string;
  readonly kind: IssueKind;
  readonly receivedMs: number;
  readonly occurredMs: number;
  readonly related: string | null;
  readonly isBrief: boolean;
  /** See stored-event.ts. */
  readonly payload: Uint8Array;
  /** Identity of the spool it came through. */
  readonly spool: number | null;
  /** Makes the words its issue is found by, see issue-text.ts; null where it is kept in brief. */
  readonly text: (() => string) | null;
}
