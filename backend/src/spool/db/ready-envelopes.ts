import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { EnvelopeRow } from '../protocol/packed-envelopes.ts';
import type { ReadyQuery, Cursors } from '../protocol/spool-messages.ts';
import {
  type StoredBody,
  type EnvelopeTable,
  ENTRY_COLUMNS,
  type EnvelopeEntry,
  unpackedBytes,
} from './envelope-table.ts';
import type { Projects } from './projects.ts';

/** Result of one query. */
export interface FoundEnvelopes {
  readonly rows: readonly EnvelopeRow[];
  readonly cursors: Cursors;
  /** Rows with a wrong checksum or bytes that cannot be decompressed. */
  readonly corrupt: readonly { readonly entry: EnvelopeEntry; readonly body: StoredBody }[];
}

/** Finds the next envelopes for a dispatcher, from its cursor in each class. */
export class ReadyEnvelopes {
  readonly #table: EnvelopeTable;
  readonly #projects: Projects;
  readonly #next: StatementSync;

  constructor(database: DatabaseSync, table: EnvelopeTable, projects: Projects) {
    this.#table = table;
    this.#projects = projects;
    this.#next = database.prepare(
      `SELECT ${ENTRY_COLUMNS} FROM envelope
       WHERE id > ? AND id <= ? AND class = ? AND pending & ? AND (? IS NULL OR project = ?)
       ORDER BY id LIMIT ?`,
    );
  }

  find(query: ReadyQuery): FoundEnvelopes {
    const rows: EnvelopeRow[] = [];
    const corrupt: { entry: EnvelopeEntry; body: StoredBody }[] = [];
    let room = query.maxBytes;
    const cursors = query.cursors.map((cursor, rank) => {
      const limit = query.limits[rank] ?? 0;
      const entries = this.#entries(query, rank, cursor, limit);
      let seen = cursor;
      for (const entry of entries) {
        const body = this.#table.body(entry.id);
        const bytes = body === undefined ? 0 : unpackedBytes(body);
        if (bytes > room && rows.length > 0) return seen;
        room -= bytes;
        seen = entry.id;
        if (body === undefined) continue;
        const row = this.#table.row(entry, body);
        if (row === undefined) corrupt.push({ entry, body });
        else rows.push(row);
      }
      return entries.length < limit ? Math.max(seen, query.untilId) : seen;
    });
    return { rows, cursors, corrupt };
  }

  #entries(
    { untilId, bit, project }: ReadyQuery,
    rank: number,
    cursor: number,
    limit: number,
  ): readonly EnvelopeEntry[] {
    if (cursor >= untilId || limit === 0) return [];
    const projectId = project === null ? null : this.#projects.find(project);
    if (projectId === undefined) return [];
    return this.#next.all(
      cursor,
      untilId,
      rank,
      bit,
      projectId,
      projectId,
      limit,
    ) as unknown as readonly EnvelopeEntry[];
  }
}
