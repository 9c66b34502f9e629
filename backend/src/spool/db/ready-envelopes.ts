import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { EnvelopeRow } from '../protocol/packed-envelopes.ts';
import type { Claim, Cursors } from '../protocol/spool-messages.ts';
import { type Body, type EnvelopeTable, PLACE, type Place, unpackedBytes } from './envelope-table.ts';
import type { Projects } from './projects.ts';

/** Result of one query. */
export interface Found {
  readonly rows: readonly EnvelopeRow[];
  readonly cursors: Cursors;
  /** Rows with a wrong checksum or bytes that cannot be decompressed. */
  readonly corrupt: readonly { readonly place: Place; readonly body: Body }[];
}

/** Finds the next envelopes for a dispatcher, from its cursor in each class. */
export class Claims {
  readonly #table: EnvelopeTable;
  readonly #projects: Projects;
  readonly #next: StatementSync;

  constructor(database: DatabaseSync, table: EnvelopeTable, projects: Projects) {
    this.#table = table;
    this.#projects = projects;
    this.#next = database.prepare(
      `SELECT ${PLACE} FROM envelope
       WHERE id > ? AND id <= ? AND class = ? AND pending & ? AND (? IS NULL OR project = ?)
       ORDER BY id LIMIT ?`,
    );
  }

  find(claim: Claim): Found {
    const rows: EnvelopeRow[] = [];
    const corrupt: { place: Place; body: Body }[] = [];
    let room = claim.maxBytes;
    const cursors = claim.cursors.map((cursor, rank) => {
      const limit = claim.limits[rank] ?? 0;
      const places = this.#places(claim, rank, cursor, limit);
      let seen = cursor;
      for (const place of places) {
        const body = this.#table.body(place.id);
        const bytes = body === undefined ? 0 : unpackedBytes(body);
        if (bytes > room && rows.length > 0) return seen;
        room -= bytes;
        seen = place.id;
        if (body === undefined) continue;
        const row = this.#table.row(place, body);
        if (row === undefined) corrupt.push({ place, body });
        else rows.push(row);
      }
      return places.length < limit ? Math.max(seen, claim.untilId) : seen;
    });
    return { rows, cursors, corrupt };
  }

  #places({ untilId, bit, project }: Claim, rank: number, cursor: number, limit: number): readonly Place[] {
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
    ) as unknown as readonly Place[];
  }
}
