import { canonicalDsn, parseDsn } from '../envelope/dsn.ts';
import { type EnvelopeHeader, readEnvelopeHeader } from '../envelope/envelope-header.ts';
import { newEventId } from '../envelope/event-id.ts';
import {
  countEvents,
  CRITICAL,
  createsEvent,
  type EnvelopeClass,
  type EventCount,
} from '../envelope/envelope-class.ts';
import { rewriteHeader } from '../envelope/rewrite-header.ts';
import { payloadEventId } from '../envelope/payload-event-id.ts';
import { findOversized, findTooMany } from '../envelope/item-limits.ts';
import { scanItems } from '../envelope/items.ts';
import type { Spool } from '../spool/spool.ts';
import type { SpoolUnavailable } from '../spool/spool-thread.ts';
import { type NewEnvelope, type SenderMeta, traitsOf } from '../sink/queued-envelope.ts';
import type { AllowedProject, AllowList, Authenticated, Credentials, Denial } from './allow-list.ts';
import { SMALL_BYTES } from './body-memory.ts';
import type { RateDecision } from './ip-rate-limit.ts';
import type { Rejection, TunnelResponse } from './response.ts';

/** Metadata of the request that carries an envelope. */
export interface RequestMeta {
  readonly credentials: Credentials;
  readonly sender: SenderMeta;
  /** Counts what the envelope adds to the spool, once it is committed. @param part of the spool's cap, 0 to 1. */
  readonly onStored: (project: string, part: number) => void;
  /** Wall clock, ms since the epoch. */
  readonly receivedAtMs: number;
  /** Whether its address is above its rate: then only errors and feedback are accepted. */
  readonly isOverRate: boolean;
  /** Charges the address's rate for what the envelope creates, beside the one event of each request. */
  readonly charge: (count: EventCount) => RateDecision;
}

/** An envelope that passed all checks. */
interface CheckedEnvelope {
  readonly envelope: NewEnvelope;
  readonly project: AllowedProject;
}

/** The part of the spool that the intake uses. */
export type IntakeSpool = Pick<Spool, 'append' | 'countUnwanted' | 'countThrottled' | 'keepMalformed'>;

/** Starts to measure a commit. The result is called at its end. */
export type TimeCommit = () => () => void;

/** How long a client waits for the commit of its envelope, ms. */
export interface CommitTimeouts {
  readonly commitTimeoutMs: number;
  /** For an envelope over 64 KiB. */
  readonly largeCommitTimeoutMs: number;
}

const DENIALS: Readonly<Record<Denial, Rejection>> = {
  missing: { outcome: 'not_allowed', detail: 'no dsn in the envelope header, and no other authentication' },
  disagree: { outcome: 'not_allowed', detail: 'envelope, path and authentication name different projects' },
  not_allowed: { outcome: 'not_allowed', detail: 'dsn is not allowed here' },
  malformed: { outcome: 'malformed', detail: 'invalid dsn in envelope header' },
};

/**
 * Checks one envelope and appends it to the spool. It reads the header line and the headers of the items. Of payloads it
 * reads only the event id that the header line lacks: the sinks parse them later, in another thread. An envelope with a sink gets its 200 only after the
 * spool's commit.
 */
export class Intake {
  readonly #allowList: AllowList;
  readonly #spool: IntakeSpool;
  readonly #timeouts: CommitTimeouts;
  readonly #timeCommit: TimeCommit;

  constructor(allowList: AllowList, spool: IntakeSpool, timeouts: CommitTimeouts, timeCommit: TimeCommit) {
    this.#allowList = allowList;
    this.#spool = spool;
    this.#timeouts = timeouts;
    this.#timeCommit = timeCommit;
  }

  /** Checks an envelope; if a sink wants it, appends it and waits for the commit. */
  accept(body: Buffer, meta: RequestMeta): Promise<TunnelResponse> {
    const checked = this.#check(body, meta);
    return 'outcome' in checked ? Promise.resolve(checked) : this.#commit(checked, meta);
  }

  /** Returns the envelope to append, or the response of an envelope that is not appended. */
  #check(body: Buffer, meta: RequestMeta): TunnelResponse | CheckedEnvelope {
    const read = readEnvelopeHeader(body);
    if (read.outcome !== 'ok') return this.#rejectHeader(body, meta, read.detail);
    const project = this.#allowList.authenticate(read.header.dsn, meta.credentials);
    if (typeof project === 'string') return denial(project, read.header.dsn, meta.credentials);
    const scan = scanItems(body, read.itemsStart);
    if (scan.outcome === 'malformed') return this.rejectMalformed(body, meta, project, scan.detail);
    const scanned = scan.outcome === 'ok' ? scan.items : [];
    const types = scanned.map(({ type }) => type);
    const count = countEvents(types);
    const tooLarge =
      scan.outcome === 'too_large' ? scan.detail : (findOversized(scanned) ?? findTooMany(count));
    if (tooLarge !== undefined) return { outcome: 'too_large', detail: tooLarge, project };
    const sentId = read.header.eventId ?? payloadEventId(body, scanned);
    const eventId = sentId ?? (types.some(createsEvent) ? newEventId() : null);
    const traits = traitsOf(scanned, project.hasUpstream);
    const items = body.subarray(read.itemsStart);
    if (exceedsRate(meta, count, traits.class)) {
      this.#spool.countThrottled(project.project, items);
      return rateLimited(project);
    }
    if (types.length === 0) return { outcome: 'empty', eventId, project };
    if (traits.pending === 0) {
      this.#spool.countUnwanted();
      return { outcome: 'no_upstream', eventId, project };
    }
    const dsn = upstreamDsn(read.header.dsn, project);
    const envelope: NewEnvelope = {
      ...traits,
      project: project.project,
      source: this.#allowList.sourceOf(project, meta.sender.origin),
      receivedAtMs: meta.receivedAtMs,
      eventId,
      hasMadeId: eventId !== null && sentId === null,
      sender: { ...meta.sender, sdk: read.header.sdk ?? meta.sender.sdk },
      header: storedHeader(read.line, read.header, eventId, dsn),
      items,
    };
    return { envelope, project };
  }

  /** Returns the project of a request that names it outside the envelope, or the rejection. */
  authenticate(credentials: Credentials): Authenticated | TunnelResponse {
    const found = this.#allowList.authenticate(null, credentials);
    return typeof found === 'string' ? denial(found, null, credentials) : found;
  }

  /** Returns the project of browser reports, or the rejection. */
  projectOfReports(projectId: string | null): AllowedProject | TunnelResponse {
    const found = this.#allowList.projectOfReports(projectId);
    return typeof found === 'string' ? DENIALS[found] : found;
  }

  /** Rejects a malformed body of an allowed project, and stores a copy as a dead letter. */
  rejectMalformed(body: Buffer, meta: RequestMeta, project: AllowedProject, detail: string): TunnelResponse {
    const { receivedAtMs, sender } = meta;
    this.#spool.keepMalformed({ project: project.project, receivedAtMs, sender, body, detail });
    return { outcome: 'malformed', detail, project };
  }

  /** Rejects a body without a readable header; only the request itself can then name the project. */
  #rejectHeader(body: Buffer, meta: RequestMeta, detail: string): TunnelResponse {
    const project = body.length > 0 ? this.#allowList.authenticate(null, meta.credentials) : 'missing';
    if (typeof project === 'string') return { outcome: 'malformed', detail };
    return this.rejectMalformed(body, meta, project, detail);
  }

  /**
   * Appends an envelope. After the timeout the client gets a 503 although the commit may still succeed: its retry is
   * then a duplicate, and no envelope is lost.
   */
  #commit({ envelope, project }: CheckedEnvelope, { onStored }: RequestMeta): Promise<TunnelResponse> {
    return new Promise((resolve) => {
      const hasCommitted = this.#timeCommit();
      const appended = this.#spool.append(envelope);
      const { commitTimeoutMs, largeCommitTimeoutMs } = this.#timeouts;
      const timeoutMs = envelope.items.length > SMALL_BYTES ? largeCommitTimeoutMs : commitTimeoutMs;
      const timer = setTimeout(() => {
        const detail = 'the envelope could not be stored in time';
        resolve({ outcome: 'unavailable', detail, project, bodyInUse: appended });
      }, timeoutMs);
      appended.then(
        ({ isDuplicate, part }) => {
          clearTimeout(timer);
          if (!isDuplicate) hasCommitted();
          onStored(project.project, part);
          const outcome = isDuplicate ? 'duplicate' : 'accepted';
          resolve({ outcome, eventId: envelope.eventId, project });
        },
        ({ reason }: SpoolUnavailable) => {
          clearTimeout(timer);
          const detail = 'the envelope cannot be stored now';
          resolve({ outcome: 'unavailable', detail, project, isOverload: reason === 'busy' });
        },
      );
    });
  }
}

/** Charges what an envelope creates beyond one event, which its request has paid for, and returns whether it is refused. */
function exceedsRate(
  { isOverRate, charge }: RequestMeta,
  { events, reports }: EventCount,
  envelopeClass: EnvelopeClass,
): boolean {
  const decision = events + reports > 1 ? charge({ events: Math.max(0, events - 1), reports }) : 'pass';
  return decision === 'flood' || (envelopeClass !== CRITICAL && (isOverRate || decision === 'over'));
}

/** Characters of a key that identify it to an operator. */
const KEY_START = 8;

/** Returns the rejection of a request without an allowed project, with the DSN that it names. */
function denial(reason: Denial, dsn: string | null, { projectId, keys }: Credentials): TunnelResponse {
  const parsed = dsn === null ? undefined : parseDsn(dsn);
  const [key] = keys;
  if (parsed !== undefined) {
    const named = canonicalDsn({ ...parsed, publicKey: startOf(parsed.publicKey) });
    return { ...DENIALS[reason], rejectedDsn: named };
  }
  if (key === undefined) return DENIALS[reason];
  return { ...DENIALS[reason], rejectedDsn: `key ${startOf(key)}, project ${projectId ?? 'not named'}` };
}

function startOf(key: string): string {
  return key.length > KEY_START ? `${key.slice(0, KEY_START)}…` : key;
}

/** Returns the response above the rate limit; see ip-rate-limit.ts. */
export function rateLimited(project?: AllowedProject): TunnelResponse {
  const detail = 'too many envelopes from this address';
  return project === undefined
    ? { outcome: 'rate_limited', detail }
    : { outcome: 'rate_limited', detail, project };
}

/**
 * Returns the header line to store: the received one, with an event id, and with the upstream's DSN in place of one
 * that names this host or has the server key, because an upstream rejects any DSN but its own (protocol A9, E14).
 */
function storedHeader(
  line: Uint8Array,
  given: EnvelopeHeader,
  eventId: string | null,
  dsn: string | null,
): Uint8Array {
  const lacksId = eventId !== null && given.eventId === null;
  if (!lacksId && dsn === null) return line;
  return rewriteHeader(line, { ...(lacksId ? { eventId } : {}), ...(dsn === null ? {} : { dsn }) });
}

/** Returns the DSN that replaces the given one; null if the given one is the project's own, in any spelling. */
function upstreamDsn(given: string | null, { project }: AllowedProject): string | null {
  if (given === null || given === project) return null;
  const parsed = parseDsn(given);
  return parsed !== undefined && canonicalDsn(parsed) === project ? null : project;
}
