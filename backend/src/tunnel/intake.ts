import { canonicalDsn, parseDsn } from '../envelope/dsn.ts';
import { type EnvelopeHeader, readEnvelopeHeader } from '../envelope/envelope-header.ts';
import { createsEvent } from '../envelope/envelope-class.ts';
import { rewriteHeader } from '../envelope/rewrite-header.ts';
import { findOversized } from '../envelope/item-limits.ts';
import { scanItems } from '../envelope/items.ts';
import type { Spool } from '../spool/spool.ts';
import { type NewEnvelope, type SenderMeta, traitsOf } from '../sink/queued-envelope.ts';
import type { AllowedProject, AllowList, Credentials, Denial } from './allow-list.ts';
import type { TunnelResponse } from './response.ts';
import { newEventId } from './store-endpoint.ts';

/** What came with a body. */
export interface Arrival {
  readonly credentials: Credentials;
  readonly sender: SenderMeta;
  /** Wall clock, ms since the epoch. */
  readonly receivedAtMs: number;
  /** Its address is above its rate: only errors and feedback are taken. */
  readonly isOverRate: boolean;
}

/** An envelope that passed, and whose it is. */
interface Wanted {
  readonly envelope: NewEnvelope;
  readonly project: AllowedProject;
}

/** What the intake needs of the spool. */
export type IntakeSpool = Pick<Spool, 'append' | 'countUnwanted' | 'countThrottled' | 'keepMalformed'>;

/** Highest class: errors and feedback. */
const CRITICAL = 0;

const DENIALS: Readonly<Record<Denial, TunnelResponse>> = {
  missing: { outcome: 'not_allowed', detail: 'no dsn in the envelope header, and no other authentication' },
  disagree: { outcome: 'not_allowed', detail: 'envelope, path and authentication name different projects' },
  not_allowed: { outcome: 'not_allowed', detail: 'dsn is not allowed here' },
  malformed: { outcome: 'malformed', detail: 'invalid dsn in envelope header' },
};

/**
 * Judges one envelope and commits it. It reads the header line and the items' headers, never an item's payload:
 * what is in there is the sinks' business, later and in another thread. A 200 comes only out of the spool's commit.
 */
export class Intake {
  readonly #allowList: AllowList;
  readonly #spool: IntakeSpool;
  readonly #commitTimeoutMs: number;

  constructor(allowList: AllowList, spool: IntakeSpool, commitTimeoutMs: number) {
    this.#allowList = allowList;
    this.#spool = spool;
    this.#commitTimeoutMs = commitTimeoutMs;
  }

  /** Judges an envelope, and commits it where it is wanted. */
  take(body: Buffer, arrival: Arrival): Promise<TunnelResponse> {
    const judged = this.#judge(body, arrival);
    return 'outcome' in judged ? Promise.resolve(judged) : this.#commit(judged.envelope, judged.project);
  }

  /** The envelope to commit, or the answer of one that is not to be. */
  #judge(body: Buffer, arrival: Arrival): TunnelResponse | Wanted {
    const read = readEnvelopeHeader(body);
    if (read.outcome !== 'ok') return this.#refuseHeader(body, arrival, read.detail);
    const project = this.#allowList.authenticate(read.header.dsn, arrival.credentials);
    if (typeof project === 'string') return DENIALS[project];
    const scan = scanItems(body, read.itemsStart);
    if (scan.outcome === 'malformed') return this.refuseMalformed(body, arrival, project, scan.detail);
    const tooLarge = scan.outcome === 'too_large' ? scan.detail : findOversized(scan.items);
    if (tooLarge !== undefined) return { outcome: 'too_large', detail: tooLarge, project };
    const types = scan.outcome === 'ok' ? scan.items.map((item) => item.type) : [];
    const { receivedAtMs, sender, credentials } = arrival;
    const eventId = read.header.eventId ?? (types.some(createsEvent) ? newEventId() : null);
    const traits = traitsOf(types, project.hasUpstream);
    const items = body.subarray(read.itemsStart);
    if (arrival.isOverRate && traits.class !== CRITICAL) {
      this.#spool.countThrottled(project.project, items);
      return tooMany(project);
    }
    if (types.length === 0) return { outcome: 'empty', eventId, project };
    if (traits.pending === 0) {
      this.#spool.countUnwanted();
      return { outcome: 'no_upstream', eventId, project };
    }
    const envelope: NewEnvelope = {
      ...traits,
      project: project.project,
      source: 'tunnel',
      receivedAtMs,
      eventId,
      hasMadeId: eventId !== null && read.header.eventId === null,
      sender: { ...sender, sdk: read.header.sdk },
      header: keptHeader(read.line, read.header, eventId, mappedDsn(read.header.dsn, project, credentials)),
      items,
    };
    return { envelope, project };
  }

  /** The project of a request that names it without an envelope, or the refusal. */
  authenticate(credentials: Credentials): AllowedProject | TunnelResponse {
    const found = this.#allowList.authenticate(null, credentials);
    return typeof found === 'string' ? DENIALS[found] : found;
  }

  /** The project of a browser's reports, or the refusal. */
  projectOfReports(projectId: string | null): AllowedProject | TunnelResponse {
    const found = this.#allowList.ofReports(projectId);
    return typeof found === 'string' ? DENIALS[found] : found;
  }

  /** Refuses a body that is no envelope, and has it kept: its sender was allowed. */
  refuseMalformed(body: Buffer, arrival: Arrival, project: AllowedProject, detail: string): TunnelResponse {
    const { receivedAtMs, sender } = arrival;
    this.#spool.keepMalformed({ project: project.project, receivedAtMs, sender, body, detail });
    return { outcome: 'malformed', detail, project };
  }

  /** Without a readable header only the request itself can tell whose body it is. */
  #refuseHeader(body: Buffer, arrival: Arrival, detail: string): TunnelResponse {
    const project = body.length > 0 ? this.#allowList.authenticate(null, arrival.credentials) : 'missing';
    if (typeof project === 'string') return { outcome: 'malformed', detail };
    return this.refuseMalformed(body, arrival, project, detail);
  }

  /** The verdict of the spool, or a refusal when it takes too long; a late commit is a duplicate, never a loss. */
  #commit(envelope: NewEnvelope, project: AllowedProject): Promise<TunnelResponse> {
    return new Promise((resolve) => {
      const appended = this.#spool.append(envelope);
      const refuse = (detail: string): void =>
        resolve({ outcome: 'unavailable', detail, project, bodyInUse: appended });
      const timer = setTimeout(refuse, this.#commitTimeoutMs, 'the envelope could not be stored in time');
      appended.then(
        ({ isDuplicate }) => {
          clearTimeout(timer);
          const outcome = isDuplicate ? 'duplicate' : 'accepted';
          resolve({ outcome, eventId: envelope.eventId, project });
        },
        () => {
          clearTimeout(timer);
          refuse('the envelope cannot be stored now');
        },
      );
    });
  }
}

/** Above their rate non-errors wait; see address-rate.ts. */
export function tooMany(project?: AllowedProject): TunnelResponse {
  const detail = 'too many envelopes from this address';
  return project === undefined
    ? { outcome: 'rate_limited', detail }
    : { outcome: 'rate_limited', detail, project };
}

/**
 * The header line as it is kept: as it came, but with an event id, and with the project's own DSN where it named
 * this host: an upstream refuses a DSN that is not its own (protocol A9, E14).
 */
function keptHeader(
  line: Uint8Array,
  given: EnvelopeHeader,
  eventId: string | null,
  dsn: string | null,
): Uint8Array {
  const lacksId = eventId !== null && given.eventId === null;
  if (!lacksId && dsn === null) return line;
  return rewriteHeader(line, { ...(lacksId ? { eventId } : {}), ...(dsn === null ? {} : { dsn }) });
}

/** The DSN to write over the given one; null where it is the project's own, however it is spelt. */
function mappedDsn(
  given: string | null,
  { project }: AllowedProject,
  { projectId }: Credentials,
): string | null {
  if (given === null || projectId === null) return null;
  const parsed = parseDsn(given);
  return parsed !== undefined && canonicalDsn(parsed) === project ? null : project;
}
