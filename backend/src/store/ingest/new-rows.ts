import type { Digest } from '../../digest/digest.ts';
import type { IssueKind } from '../../contract/event-api.ts';
import type { EnvelopeSource } from '../../sink/queued-envelope.ts';
import type { EventFacts } from '../event/event-facts.ts';
import type { Fact } from '../event/fact-forms.ts';
import type { Fields } from '../../digest/fields.ts';

/** An event that was parsed, mapped and digested, but not scrubbed yet. */
export interface ReadEvent {
  /** Canonical DSN. */
  readonly project: string;
  /** 32 hex digits. */
  readonly eventId: string;
  readonly digest: Digest;
  readonly kind: IssueKind;
  readonly receivedMs: number;
  readonly occurredMs: number;
  /** Digest of the server error that a browser event names as its cause. */
  readonly related: string | null;
  readonly source: EnvelopeSource;
  /** Whether it is a browser report. */
  readonly isReport: boolean;
  /** Whether a browser reported it as a violation of the Content-Security-Policy. */
  readonly isViolation: boolean;
  /** See StoreEnvelope. */
  readonly network: string | null;
  /** User agent of the client. */
  readonly userAgent: string | null;
  readonly body: Fields;
  /** Why a browser's stack stayed minified; see StoredEvent. */
  readonly unmapped: string | null;
}

/** An event as it is written: scrubbed, in full or in brief. */
export interface NewEvent extends Omit<EventFacts, 'aliases' | 'tags'> {
  /** See tagsColumn. */
  readonly tags: string | null;
  /** Those that make its issue found. */
  readonly facts: readonly Fact[];
  /** Hashes of its ids, see event-ids.ts. */
  readonly ids: Uint8Array;
  readonly projectId: number;
  /** Canonical DSN. */
  readonly project: string;
  /** Key of its issue; see issueKey. */
  readonly issueKey: string;
  readonly eventId: string;
  readonly digestKey: string;
  readonly digest: string;
  readonly kind: IssueKind;
  readonly isReport: boolean;
  readonly receivedMs: number;
  readonly occurredMs: number;
  readonly related: string | null;
  readonly isBrief: boolean;
  /** Whether it is above the share of its sender network. */
  readonly isExcess: boolean;
  /** Whether its facts and its release are written: false where they are above the share of its sender network. */
  readonly hasFacts: boolean;
  /** See stored-event.ts. */
  readonly payload: Uint8Array;
  /** Identity of the spool it came through. */
  readonly spool: number;
  /** Sender; see event/provenance.ts. */
  readonly origin: number;
  readonly isConfirmed: boolean;
  /** Makes the search text of its issue, see issue-text.ts; null for a brief event. */
  readonly text: (() => string) | null;
}

/** An event whose bytes are known, but not yet whether they are above a share. */
export type EncodedEvent = Omit<NewEvent, 'isExcess' | 'hasFacts'>;
