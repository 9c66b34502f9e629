import { describeAnswering, describeStoring } from './event-store.suite.ts';
import { describeErasureLocks } from './erasure-locks.suite.ts';
import type { PostgresPackage } from './postgres-server.fixture.ts';
import { describeReplicas } from './replicas.suite.ts';
import { describeServerStates } from './postgres-server-states.suite.ts';
import { SharedDatabase } from './shared-database.fixture.ts';
import type { NewData } from './store-under-test.fixture.ts';

/** How the store must store on PostgreSQL, also with replicas that share it. */
export function describeStoringOnPostgres(name: string, postgres: PostgresPackage): void {
  describe(`the store on ${name}`, () => {
    describeStoring(sharedData(postgres, 'storing'));
    describeServerStates(postgres);
  });
}

/** How the store must answer on PostgreSQL. It runs in another spec file, so that both can run at the same time. */
export function describeAnsweringOnPostgres(name: string, postgres: PostgresPackage): void {
  describe(`the store on ${name}`, () => {
    const newData = sharedData(postgres, 'answering');
    describeAnswering(newData);
    describeErasureLocks(newData);
    describeReplicas(newData);
  });
}

/** One database for all tests of the file. */
function sharedData(postgres: PostgresPackage, name: string): NewData {
  let database: SharedDatabase;
  beforeAll(async () => {
    database = await SharedDatabase.create(postgres, name);
  });
  afterAll(() => database.close());
  return () => database.lend();
}
