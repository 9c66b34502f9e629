export type Rule = 'clock' | 'sleep' | 'limit' | 'port';

/** Places in a file where a rule of check-tests.ts does not apply. */
export interface TimingException {
  readonly file: string;
  readonly rule: Rule;
  readonly count: number;
  readonly reason: string;
}

const WATCHDOG = 'the watchdog, which only stops a hang';
const ORDER = 'the order of events by one clock, which no delay changes';
const MEASURED = 'a part of make faults only, which measures times';
const POLLING = 'the pause between two looks at a condition';

export const TIMING_EXCEPTIONS: readonly TimingException[] = [
  { file: 'backend/src/relay/sink-reports.spec.ts', rule: 'clock', count: 1, reason: ORDER },
  {
    file: 'backend/src/time/growth.fixture.ts',
    rule: 'clock',
    count: 2,
    reason: 'compares processor times of one thread, which other processes do not lengthen',
  },
  { file: 'e2e/fault-runner.e2e.ts', rule: 'clock', count: 1, reason: 'keeps the bench from its timers' },
  { file: 'e2e/faults/experiments/f02-no-answer.ts', rule: 'sleep', count: 1, reason: MEASURED },
  { file: 'e2e/faults/experiments/f03-rate-limits.ts', rule: 'sleep', count: 1, reason: MEASURED },
  { file: 'e2e/faults/experiments/f03-rate-limits.ts', rule: 'clock', count: 1, reason: MEASURED },
  {
    file: 'e2e/faults/experiments/f07-stop.ts',
    rule: 'sleep',
    count: 1,
    reason: 'the pauses of a client between its requests',
  },
  {
    file: 'e2e/faults/experiments/f13-large-uploads.ts',
    rule: 'sleep',
    count: 1,
    reason: 'a client that waits for the time of Retry-After',
  },
  { file: 'e2e/faults/experiments/f13-large-uploads.ts', rule: 'clock', count: 1, reason: WATCHDOG },
  { file: 'e2e/faults/experiments/f15-memory.ts', rule: 'sleep', count: 1, reason: MEASURED },
  {
    file: 'e2e/faults/experiments/f29-shown.ts',
    rule: 'clock',
    count: 1,
    reason: 'a page that came late promises nothing and does not count',
  },
  { file: 'e2e/faults/parts/ledger.ts', rule: 'sleep', count: 1, reason: POLLING },
  { file: 'e2e/faults/parts/ledger.ts', rule: 'clock', count: 1, reason: WATCHDOG },
  { file: 'e2e/faults/parts/loader.ts', rule: 'sleep', count: 1, reason: 'the rate of the load' },
  { file: 'e2e/faults/parts/loader.ts', rule: 'clock', count: 1, reason: 'the rate of the load' },
  { file: 'e2e/faults/parts/post.ts', rule: 'clock', count: 1, reason: WATCHDOG },
  { file: 'e2e/faults/parts/waiting.ts', rule: 'sleep', count: 1, reason: POLLING },
  { file: 'e2e/faults/parts/waiting.ts', rule: 'clock', count: 1, reason: WATCHDOG },
  { file: 'e2e/faults/perform.ts', rule: 'sleep', count: 1, reason: WATCHDOG },
  { file: 'e2e/faults/preload/block-loop.ts', rule: 'clock', count: 1, reason: 'blocks the event loop' },
  { file: 'e2e/outage.e2e.ts', rule: 'clock', count: 1, reason: ORDER },
  {
    file: 'frontend/src/reporting/page-lifecycle.spec.ts',
    rule: 'sleep',
    count: 1,
    reason: 'a second timer of 0 ms, which fires after the one under test',
  },
];
