import { describeOldest } from './postgres-event-store.suite.ts';

describeOldest();
