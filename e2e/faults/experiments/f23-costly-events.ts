import { gzipSync } from 'node:zlib';
import { newEventId } from '../../fixtures/envelopes.ts';
import type { Experiment, Trial } from '../experiment.ts';
import { emptied } from '../parts/ledger.ts';
import { percentile } from '../parts/percentile.ts';
import { Rig } from '../parts/rig.ts';
import { StoreFinder } from '../parts/store-finder.ts';
import { mustCome, since } from '../parts/waiting.ts';

const LEVELS = 8;
const READ_EVERY_MS = 50;
const P99_LIMIT_MS = 500;
const FOUND_WITHIN_MS = 10_000;
const ROUNDS = 5;

/** Characters of a string that are read; a longer one costs no more. */
const STRING_LENGTH = 64 * 1_024;

/** Values that cost the most to scrub, by their content. Each takes less than 10 KB of gzip. */
const COSTLY: readonly (readonly [name: string, value: unknown])[] = [
  [`${LEVELS} levels of JSON in JSON`, nested(strings('1 ', 60))],
  ['4 MiB of digits and blanks', strings('1 ', 63)],
  ['4 MiB of digits and dashes', strings('1-', 63)],
];

export const experiments: readonly Experiment[] = [
  {
    id: 'F23',
    fault: 'events of at most 10 KB of gzip that are costly to scrub, one behind the other',
    isLeftOut: true,
    run: sendCostly,
  },
];

async function sendCostly(trial: Trial): Promise<void> {
  const { findings } = trial;
  const rig = await Rig.start(trial, { upstream: null });
  const { made: known } = await rig.send();
  await emptied(rig.errata);
  const store = await StoreFinder.signIn(rig.errata);
  await findings.timed(
    P99_LIMIT_MS,
    async (times) => {
      const reads = readSteadily(store, known.id);
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [name, value] of COSTLY) {
          const id = await sendEvent(rig, value);
          const startedAtMs = performance.now();
          const { made } = await rig.send();
          await mustCome(`the error behind ${name}`, () => store.has(made.id));
          times.atMost(
            `the error behind ${name} was found after`,
            since(startedAtMs),
            FOUND_WITHIN_MS,
            ' ms',
          );
          await mustCome(`the event of ${name}`, () => store.has(id));
        }
      }
      const answers = await reads.end();
      times.atMost(`p99 of ${answers.length} reads`, percentile(answers, 99), P99_LIMIT_MS, ' ms');
    },
    99,
  );
  const missing = await store.missing(rig.obligations.keys());
  findings.equal('errors that were not found', missing.length, 0);
}

/** Sends an event with this value. */
async function sendEvent({ errata, dsn }: Rig, value: unknown): Promise<string> {
  const id = newEventId();
  const event = { event_id: id, platform: 'python', message: 'costly', extra: { value } };
  const lines = [{ event_id: id, dsn }, { type: 'event' }, event].map((part) => JSON.stringify(part));
  const answer = await fetch(`${errata.url}/tunnel`, {
    method: 'POST',
    headers: { 'content-encoding': 'gzip' },
    body: gzipSync(lines.join('\n')),
  });
  if (answer.status !== 200) throw new Error(`the costly event is answered ${answer.status}`);
  return id;
}

/** Starts reads at a fixed rate, also while earlier ones wait. */
function readSteadily(
  store: StoreFinder,
  id: string,
): { readonly end: () => Promise<readonly { readonly ms: number }[]> } {
  const reads: Promise<{ readonly ms: number }>[] = [];
  const timer = setInterval(() => {
    const startedAtMs = performance.now();
    reads.push(store.has(id).then(() => ({ ms: since(startedAtMs) })));
  }, READ_EVERY_MS);
  return {
    end: () => {
      clearInterval(timer);
      return Promise.all(reads);
    },
  };
}

function strings(text: string, count: number): readonly string[] {
  return Array.from({ length: count }, () => text.repeat(STRING_LENGTH / text.length));
}

/** Returns a value in JSON in a string in JSON, and so on. */
function nested(value: unknown): unknown {
  let level = value;
  for (let count = 0; count < LEVELS; count += 1) level = { level: JSON.stringify(level) };
  return level;
}
