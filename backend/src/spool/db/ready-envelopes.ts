import type { Statement, TypedDatabase } from '../../sqlite/typed-database.ts';
import type { EnvelopeClass } from '../../envelope/envelope-class.ts';
import type { EnvelopeRow } from '../protocol/packed-envelopes.ts';
import type { Cursors, OldestEnvelopes, ReadyQuery } from '../protocol/spool-messages.ts';
import { type EnvelopeTable, type StoredEnvelope, unpackedBytes } from './envelope-table.ts';
import type { Projects } from './projects.ts';

/** Result of one query. */
export interface FoundEnvelopes {
  readonly rows: readonly EnvelopeRow[];
  readonly cursors: Cursors;
  /** Ids of rows that cannot be read: no body, a wrong checksum, bytes that cannot be decompressed. */
  readonly corrupt: readonly number[];
}

type QueuedId = Pick<StoredEnvelope, 'id'>;

/** Parameters that restrict a query to the envelopes of one dispatcher. */
type Owner = readonly [bit: number, project: number | null, sameProject: number | null];

const CLASSES: readonly EnvelopeClass[] = [0, 1, 2, 3, 4];
const OWNED = 'FROM envelope WHERE pending & ? AND (? IS NULL OR project = ?) AND id > ? AND id <= ?';

/** Finds envelopes for a dispatcher. */
export class ReadyEnvelopes {
  readonly #table: EnvelopeTable;
  readonly #projects: Projects;
  readonly #oldest: Statement<QueuedId>;
  readonly #newest: Statement<QueuedId>;
  readonly #one: Statement<QueuedId>;

  constructor(database: TypedDatabase, table: EnvelopeTable, projects: Projects) {
    this.#table = table;
    this.#projects = projects;
    this.#oldest = database.prepare(`SELECT id ${OWNED} AND class = ? ORDER BY id LIMIT ?`);
    this.#newest = database.prepare(`SELECT id ${OWNED} AND class = ? ORDER BY id DESC`);
    this.#one = database.prepare(`SELECT id ${OWNED}`);
  }

  find({ bit, project, pick }: ReadyQuery): FoundEnvelopes {
    const projectId = project === null ? null : this.#projects.find(project);
    if (projectId === undefined) return { rows: [], corrupt: [], cursors: endOf(pick) };
    const owner = [bit, projectId, projectId] as const;
    switch (pick.from) {
      case 'oldest':
        return this.#findOldest(pick, owner);
      case 'newest':
        return this.#findFirst(this.#newestOf(owner, pick.untilId), pick.except);
      case 'id':
        return this.#findFirst(this.#one.iterate(...owner, pick.id - 1, pick.id), []);
    }
  }

  #findOldest(pick: OldestEnvelopes, owner: Owner): FoundEnvelopes {
    const rows: EnvelopeRow[] = [];
    const corrupt: number[] = [];
    const except = new Set(pick.except);
    let room = pick.maxBytes;
    const cursors = pick.cursors.map((cursor, envelopeClass) => {
      const limit = pick.limits[envelopeClass] ?? 0;
      const entries = this.#entriesOf(pick, owner, envelopeClass, cursor, limit);
      let seen = cursor;
      for (const { id } of entries) {
        const envelope = except.has(id) ? undefined : this.#table.stored(id);
        const bytes = envelope === undefined ? 0 : unpackedBytes(envelope);
        if (bytes > room && rows.length > 0) return seen;
        room -= bytes;
        seen = id;
        if (except.has(id)) continue;
        const row = this.#table.row(envelope);
        if (row === undefined) corrupt.push(id);
        else rows.push(row);
      }
      return entries.length < limit ? Math.max(seen, pick.untilId) : seen;
    });
    return { rows, cursors, corrupt };
  }

  #entriesOf(
    { untilId }: OldestEnvelopes,
    owner: Owner,
    envelopeClass: number,
    cursor: number,
    limit: number,
  ): readonly QueuedId[] {
    if (cursor >= untilId || limit === 0) return [];
    return this.#oldest.all(...owner, cursor, untilId, envelopeClass, limit);
  }

  /** Class by class, for an index would cost each append, and a sort the whole queue. */
  *#newestOf(owner: Owner, untilId: number): Iterable<QueuedId> {
    for (const envelopeClass of CLASSES) yield* this.#newest.iterate(...owner, 0, untilId, envelopeClass);
  }

  /** Returns the first readable envelope that is not left out. */
  #findFirst(entries: Iterable<QueuedId>, exceptIds: readonly number[]): FoundEnvelopes {
    const corrupt: number[] = [];
    const except = new Set(exceptIds);
    for (const { id } of entries) {
      if (except.has(id)) continue;
      const row = this.#table.row(this.#table.stored(id));
      if (row !== undefined) return { rows: [row], cursors: [], corrupt };
      corrupt.push(id);
    }
    return { rows: [], cursors: [], corrupt };
  }
}

/** Returns the cursors after a query for a project without any envelope so far. */
function endOf(pick: ReadyQuery['pick']): Cursors {
  return pick.from === 'oldest' ? pick.cursors.map(() => pick.untilId) : [];
}
