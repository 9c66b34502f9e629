import { describeAnsweringOnNewest } from './postgres-event-store.suite.ts';

describeAnsweringOnNewest();
