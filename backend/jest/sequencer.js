import Sequencer from '@jest/test-sequencer';

/** They take longest, and are among the smallest files: Jest, which knows no times on a new machine, starts them last. */
const FIRST = /\/postgres-\d+[-\w]*\.spec\.ts$/;

/** Starts the tests on PostgreSQL first, so that no worker runs them alone at the end; the others as Jest does. */
export default class PostgresFirst extends Sequencer {
  sort(tests) {
    const isFirst = ({ path }) => FIRST.test(path);
    const sorted = super.sort(tests);
    return [...sorted.filter(isFirst), ...sorted.filter((test) => !isFirst(test))];
  }
}
