import { describeStoringOnNewest } from './postgres-event-store.suite.ts';

describeStoringOnNewest();
