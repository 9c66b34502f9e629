import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ownApplication } from '../../backend/src/store/event/own-files.ts';
import { openPostgres } from '../../backend/src/store/db/postgres/open-postgres.ts';
import { startPostgres } from '../../backend/src/store/test/postgres-server.fixture.ts';
import type { StoreDatabase } from '../../backend/src/store/db/schema.ts';
import { Store } from '../../backend/src/store/store.ts';
import { openSqlite } from '../../backend/src/store/db/sqlite/open-sqlite.ts';
import { SourceMapper } from '../../backend/src/sourcemap/source-mapper.ts';
import { SERVER_CORE } from '../cores.ts';
import { descendants } from '../proc.ts';

/** A database to be measured. */
export interface Measured {
  readonly title: string;
  readonly flavor: Flavor;
  /** Opens the same data again and again. */
  readonly open: () => StoreDatabase;
  readonly bytes: () => Promise<number>;
  readonly remove: () => Promise<void>;
}

const MAX_BYTES = 64 * 2 ** 30;

export type Flavor = 'sqlite' | 'postgres';

/** @param directory on a disk; the caller removes it. */
export function make(flavor: Flavor, directory: string): Promise<Measured> {
  return flavor === 'sqlite' ? Promise.resolve(sqlite(directory)) : postgres(directory);
}

function sqlite(directory: string): Measured {
  const file = join(directory, 'store.db');
  const open = (): StoreDatabase => openSqlite(file, MAX_BYTES);
  const bytes = async (): Promise<number> => {
    const { db } = open();
    // The last connection that closes writes the log back.
    await db.destroy();
    return statSync(file).size;
  };
  return { title: 'SQLite', flavor: 'sqlite', open, bytes, remove: () => Promise.resolve() };
}

async function postgres(directory: string): Promise<Measured> {
  const server = await startPostgres(undefined, { parent: directory, isDurable: true });
  // Elsewhere it has a machine of its own.
  for (const pid of descendants(process.pid).keys())
    execFileSync('taskset', ['-cp', String(SERVER_CORE), String(pid)]);
  const url = await server.createDatabase('errata');
  const open = (): StoreDatabase => openPostgres(url);
  const bytes = async (): Promise<number> => {
    const { db } = open();
    const size = await db
      .selectNoFrom((row) => row.fn<number>('pg_database_size', [row.fn('current_database', [])]).as('bytes'))
      .executeTakeFirstOrThrow();
    await db.destroy();
    return size.bytes;
  };
  return { title: 'PostgreSQL 18', flavor: 'postgres', open, bytes, remove: () => server.remove() };
}

/** The store over it, in this thread, so that only the store is measured, not the way to it. */
export function storeOver({ open }: Measured, nowMs: number): Store {
  return new Store(open(), {
    read: {
      maps: { mapper: new SourceMapper(() => Promise.resolve(undefined)), idsOf: () => [] },
      own: ownApplication(''),
      spool: 1,
    },
    onFault: (fault) => {
      throw fault;
    },
    now: () => nowMs,
  });
}
