import type { Statement, TypedDatabase } from '../../sqlite/typed-database.ts';
import { constants, gunzipSync } from 'node:zlib';
import type { EnvelopeRow } from '../protocol/packed-envelopes.ts';
import type { DeadLetterOfEvent } from '../protocol/event-status.ts';
import type { DeadLetter, MalformedBody, OpenedDeadLetter, SpoolLimits } from '../protocol/spool-messages.ts';
import { MAX_DETAIL_LENGTH, type Refusal } from '../../sink/sink.ts';
import { itemsIfWhole, rowFrom, STORED_COLUMNS, type StoredEnvelope } from './envelope-table.ts';
import type { LostEvents } from './lost-events.ts';
import type { Projects } from './projects.ts';
import { timeIn } from './spool-schema.ts';

/** Larger envelopes are stored without their end, for inspection only. */
const MAX_WHOLE_BYTES = 2 ** 20;
const BEGINNING_BYTES = 64 * 2 ** 10;
/**
 * Cap of malformed bodies, within the caps of all dead letters. An operator reads a few of them to find a broken client, and
 * any client can send thousands.
 */
const MALFORMED_CAP = { rows: 50, bytes: 2 ** 20 };
/**
 * Most malformed bodies that one transaction deletes for their own cap: more than one adds (32), so that an older spool with
 * 1,000 of them shrinks, and less than 3 MiB, so that the log stays small on a full disk.
 */
const MALFORMED_AT_ONCE = 40;
/** Reasons that allow a redrive: not those of corrupt rows and malformed bodies. */
const CAN_BE_SENT: ReadonlySet<string> = new Set(['send_error', 'unstorable']);
const NEWLINE = Buffer.from('\n');

/** A malformed body has no separate header. Its reason, behind the bytes of the row, would be read through all their pages. */
const IS_MALFORMED = 'length(header) = 0';
const SUMS = `
  SELECT count(*) AS count, coalesce(sum(length(header) + length(stored)), 0) AS bytes,
    count(*) FILTER (WHERE ${IS_MALFORMED}) AS malformed,
    coalesce(sum(length(stored)) FILTER (WHERE ${IS_MALFORMED}), 0) AS malformedBytes
  FROM dead_letter`;
/** The order of eviction: malformed bodies, then the others; the oldest first. */
const FIRST_TO_GO = `
  SELECT id, length(header) + length(stored) AS bytes, ${IS_MALFORMED} AS isMalformed
  FROM dead_letter ORDER BY isMalformed DESC, id`;

interface DeadLetterRow extends StoredEnvelope {
  readonly reason: string;
  readonly isWhole: number;
  readonly origin: string | null;
  readonly userAgent: string | null;
}

type ListedLetter = Omit<DeadLetter, 'project' | 'canRedrive'> & Pick<DeadLetterRow, 'project' | 'isWhole'>;

/** An envelope that becomes a dead letter. */
type Refused = Omit<StoredEnvelope, 'id' | 'monotonicAtMs' | 'crc'>;

/** A removed dead letter: its event, its project, and the bits of the sinks that had refused it. */
interface RemovedLetter {
  readonly eventId: string | null;
  readonly project: number;
  readonly bits: number;
}

/** Dead letters in the table, and the malformed bodies among them. */
interface LetterSums {
  readonly count: number;
  readonly bytes: number;
  readonly malformed: number;
  readonly malformedBytes: number;
}

const NO_LETTERS: LetterSums = { count: 0, bytes: 0, malformed: 0, malformedBytes: 0 };
const NOTHING: RemovedLetter = { eventId: null, project: 0, bits: 0 };

/**
 * Stores envelopes that a sink refused for good, for an operator to inspect, redrive or discard. They do not count
 * towards the quota of queued envelopes. They are capped in bytes, rows and age; the oldest are deleted first, as
 * their loss was counted already. Malformed bodies have a cap of their own and are deleted before all others: a client that
 * sends thousands of them must not delete a dead letter that can be sent again.
 */
export class DeadLetters {
  /** Enforced at the next transaction that adds a dead letter or removes old ones. */
  limits: SpoolLimits['deadLetters'];
  readonly #projects: Projects;
  readonly #lostEvents: LostEvents;
  readonly #insert: Statement;
  readonly #list: Statement<ListedLetter>;
  readonly #find: Statement<DeadLetterRow>;
  readonly #ofEvent: Statement<DeadLetterOfEvent>;
  readonly #remove: Statement<RemovedLetter>;
  readonly #sum: Statement<LetterSums>;
  readonly #firstToGo: Statement<{
    readonly id: number;
    readonly bytes: number;
    readonly isMalformed: number;
  }>;
  readonly #removeOld: Statement;
  #mayExceed = false;

  constructor(
    database: TypedDatabase,
    projects: Projects,
    lostEvents: LostEvents,
    limits: SpoolLimits['deadLetters'],
  ) {
    this.limits = limits;
    this.#lostEvents = lostEvents;
    this.#projects = projects;
    this.#insert = database.prepare(
      `INSERT INTO dead_letter (project, class, lifetime, pending, received_at_ms, dead_lettered_at_ms, source, event_id,
         sender, header, stored, is_gzip, bytes, is_whole, reason, status, detail)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#list = database.prepare(
      `SELECT id, project, event_id AS eventId, ${timeIn('received_at_ms')} AS receivedAtMs,
         ${timeIn('dead_lettered_at_ms')} AS deadLetteredAtMs, reason, status, detail, bytes, is_whole AS isWhole
       FROM dead_letter WHERE id < ? AND typeof(reason) = 'text' ORDER BY id DESC LIMIT ?`,
    );
    this.#find = database.prepare(
      `SELECT ${STORED_COLUMNS}, NULL AS monotonicAtMs, NULL AS crc, is_whole AS isWhole, reason,
         iif(json_valid(sender), sender ->> 'origin', NULL) AS origin,
         iif(json_valid(sender), sender ->> 'userAgent', NULL) AS userAgent
       FROM dead_letter WHERE id = ?`,
    );
    this.#ofEvent = database.prepare(
      `SELECT id, reason, status, ${timeIn('dead_lettered_at_ms')} AS deadLetteredAtMs FROM dead_letter
       WHERE event_id = ? AND project = ? AND pending & ? ORDER BY id DESC LIMIT 1`,
    );
    this.#remove = database.prepare(
      'DELETE FROM dead_letter WHERE id = ? RETURNING event_id AS eventId, project, pending AS bits',
    );
    this.#sum = database.prepare(SUMS);
    this.#firstToGo = database.prepare(FIRST_TO_GO);
    this.#removeOld = database.prepare('DELETE FROM dead_letter WHERE dead_lettered_at_ms < ?');
  }

  /** Stores a copy of a refused or corrupt envelope. `pending` holds the bits of the sinks that refused it. */
  add(envelope: Refused, reason: string, refusal: Refusal, nowMs: number): void {
    const { project, lifetime, pending, receivedAtMs, source, eventId, sender, header, isGzip } = envelope;
    const bytes = header.length + envelope.stored.length;
    const isWhole = bytes <= MAX_WHOLE_BYTES;
    const stored = isWhole ? envelope.stored : envelope.stored.subarray(0, BEGINNING_BYTES);
    const keys = [project, envelope.class, lifetime, pending, receivedAtMs, nowMs] as const;
    const payload = [source, eventId, sender, header, stored, isGzip, bytes, isWhole ? 1 : 0] as const;
    this.#insert.run(...keys, ...payload, reason, refusal.status, refusal.detail.slice(0, MAX_DETAIL_LENGTH));
    this.#mayExceed = true;
  }

  /** Stores a copy of a body that is not a valid envelope. */
  addMalformed({ project, receivedAtMs, sender, body, detail }: MalformedBody, nowMs: number): void {
    const envelope: Refused = {
      project: this.#projects.id(project),
      class: 0,
      lifetime: 0,
      pending: 0,
      receivedAtMs,
      source: 'tunnel',
      eventId: null,
      sender: JSON.stringify(sender),
      header: new Uint8Array(),
      stored: body,
      isGzip: 0,
    };
    this.add(envelope, 'malformed', { status: null, detail }, nowMs);
  }

  /** Lists dead letters, newest first, without those of a zeroed page: nothing of them is left, not even the id. */
  list(beforeId: number | null, limit: number): readonly DeadLetter[] {
    const rows = this.#list.all(beforeId ?? Number.MAX_SAFE_INTEGER, limit);
    return rows.map(({ project, isWhole, ...row }) => ({
      ...row,
      project: this.#projects.dsn(project),
      canRedrive: canBeSent({ isWhole, reason: row.reason }),
    }));
  }

  /** Returns one with its stored bytes; null if it does not exist. */
  open(id: number): OpenedDeadLetter | null {
    const row = this.#row(id);
    const [letter] = this.list(id + 1, 1);
    if (row === undefined || letter === undefined) return null;
    const { origin, userAgent } = row;
    return { letter, bytes: bytesOf(row), isWhole: row.isWhole === 1, origin, userAgent };
  }

  /** Returns a dead letter as a row to queue again; undefined if it is gone, truncated, corrupt or malformed. */
  find(id: number): EnvelopeRow | undefined {
    const row = this.#row(id);
    return row === undefined || !canBeSent(row) ? undefined : rowFrom(row, this.#projects);
  }

  /** Returns the newest dead letter of an event that these sinks refused. */
  ofEvent(eventId: string, project: number, bits: number): DeadLetterOfEvent | undefined {
    return this.#ofEvent.get(eventId, project, bits);
  }

  /** Removes a dead letter that is queued again, and the record of its loss. */
  takeOut(id: number): void {
    const { eventId, project, bits } = this.#removed(id) ?? NOTHING;
    if (eventId !== null) this.#lostEvents.forget(eventId, project, bits);
  }

  /** Deletes a dead letter. @returns whether it existed. */
  discard(id: number, nowMs: number): boolean {
    const removed = this.#removed(id);
    const { eventId, project, bits } = removed ?? NOTHING;
    if (eventId !== null) this.#lostEvents.discard(eventId, project, bits, nowMs);
    return removed !== undefined;
  }

  removeOld(nowMs: number): void {
    this.#removeOld.run(nowMs - this.limits.maxAgeMs);
    this.#mayExceed = true;
  }

  get count(): number {
    return this.#sums().count;
  }

  #removed(id: number): RemovedLetter | undefined {
    return this.#remove.get(id);
  }

  #row(id: number): DeadLetterRow | undefined {
    return this.#find.get(id);
  }

  #sums(): LetterSums {
    return this.#sum.get() ?? NO_LETTERS;
  }

  /**
   * Enforces the caps, once for each transaction: an upstream that refuses everything adds dead letters at the rate of
   * intake, and each count scans the whole table.
   */
  flush(): void {
    if (!this.#mayExceed) return;
    this.#mayExceed = false;
    let left = this.#sums();
    if (!this.#exceeds(left) && !exceedsOwnCap(left)) return;
    const least = left.malformed - MALFORMED_AT_ONCE;
    for (const { id, bytes, isMalformed } of this.#firstToGo.all()) {
      const isSpare = isMalformed === 1 && left.malformed > least && exceedsOwnCap(left);
      if (!isSpare && !this.#exceeds(left)) break;
      this.#remove.get(id);
      left = {
        count: left.count - 1,
        bytes: left.bytes - bytes,
        malformed: left.malformed - isMalformed,
        malformedBytes: left.malformedBytes - bytes * isMalformed,
      };
    }
  }

  #exceeds({ count, bytes }: Pick<LetterSums, 'count' | 'bytes'>): boolean {
    return count > this.limits.maxRows || bytes > this.limits.maxBytes;
  }
}

/** Returns the bytes as received; for a truncated compressed envelope, what its beginning decompresses to. */
function bytesOf(row: DeadLetterRow): Uint8Array {
  // A malformed body has no separate header.
  if (row.header.length === 0) return row.stored;
  if (row.isWhole === 0 && row.isGzip === 1) return beginningOf(row);
  const items = row.isWhole === 0 ? row.stored : itemsIfWhole(row);
  return items === undefined ? row.header : Buffer.concat([row.header, NEWLINE, items]);
}

/**
 * Decompresses the beginning; returns only the header if the output exceeds the limit: 64 KiB can expand a
 * thousandfold.
 */
function beginningOf({ header, stored }: DeadLetterRow): Uint8Array {
  try {
    return gunzipSync(stored, {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: MAX_WHOLE_BYTES,
    });
  } catch {
    return header;
  }
}

function exceedsOwnCap({ malformed, malformedBytes }: LetterSums): boolean {
  return malformed > MALFORMED_CAP.rows || malformedBytes > MALFORMED_CAP.bytes;
}

function canBeSent({ isWhole, reason }: Pick<DeadLetterRow, 'isWhole' | 'reason'>): boolean {
  return isWhole === 1 && CAN_BE_SENT.has(reason);
}
