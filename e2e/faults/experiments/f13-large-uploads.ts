import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Experiment, Trial } from '../experiment.ts';
import { type Made, makeEnvelope } from '../parts/envelopes.ts';
import { judge } from '../parts/judge.ts';
import { type Answered, keptConnections, post } from '../parts/post.ts';
import { memoryOf } from '../parts/process-state.ts';
import { Rig } from '../parts/rig.ts';
import { since, WATCHDOG_MS } from '../parts/waiting.ts';

const UPLOADS = { gate: 24, short: 1_000, long: 1_000 } as const;
/** Random bytes, which cannot be compressed. */
const MIB = randomBytes(2 ** 20);
const MAX_RSS_MIB = 400;
/** Time for which Errata lets an upload wait for memory before it answers 503. */
const BODY_WAIT_S = 10;
/** Uploads that must be accepted, as a share of the number that the wait leaves time for when each comes alone. */
const LEAST_SHARE = 1 / 4;
/** Number of uploads whose duration is measured one after the other. */
const ALONE = 4;
/** Number of rejected uploads that are sent again. */
const RETRIES = { gate: Infinity, short: 40, long: Infinity } as const;
const RETRY_SENDERS = 4;

export const experiments: readonly Experiment[] = [
  { id: 'F13', fault: '1,000 uploads of 1 MiB at once', run: uploadAtOnce },
];

async function uploadAtOnce(trial: Trial): Promise<void> {
  const { findings, scale } = trial;
  const rig = await Rig.start(trial);
  // Each upload waits in its turn, so a short stall of the bench costs few of them.
  await findings.timed(BODY_WAIT_S * 1_000, async (times) => {
    const perSecond = await rateAlone(rig);
    const { taken, refused } = await flood(trial, rig, UPLOADS[scale]);
    const least = Math.min(UPLOADS[scale], Math.floor(perSecond * BODY_WAIT_S * LEAST_SHARE));
    times.atLeast(`at ${perSecond.toFixed(0)} a second when alone, answered 200:`, taken, least);
    await retry(trial, rig, refused.slice(0, RETRIES[scale]));
  });
  findings.atMost('RSS at its peak', memoryOf(rig.errata.pid).peakMiB, MAX_RSS_MIB, ' MiB');
  // Compressing a thousand MiB takes long; it is enough that the uploads are queued.
  await judge(rig, findings, { mayHold: scale !== 'gate', atLeast: ALONE });
}

interface Flood {
  /** Number of accepted uploads. */
  readonly taken: number;
  readonly refused: readonly Made[];
}

/** Returns the number of uploads per second when they come one after the other. */
async function rateAlone(rig: Rig): Promise<number> {
  const startedAtMs = performance.now();
  for (let done = 0; done < ALONE; done += 1) await upload(rig, makeLarge(rig));
  return ALONE / (since(startedAtMs) / 1_000);
}

/** Sends all uploads at the same time, each on a connection of its own; no client may lose its answer. */
async function flood({ findings }: Trial, rig: Rig, uploads: number): Promise<Flood> {
  const all: Made[] = [];
  for (let done = 0; done < uploads; done += 1) {
    all.push(makeLarge(rig));
    // To hash all of them in one go would look like a stall of the machine.
    await nextTurn();
  }
  const refused: Made[] = [];
  const send = async (made: Made): Promise<Answered> => {
    const answer = await upload(rig, made);
    if (answer.status === 503) refused.push(made);
    return answer;
  };
  const answers = await Promise.all(all.splice(0).map(send));
  const taken = answers.filter(({ status }) => status === 200).length;
  const cuts = answers.flatMap((answer) => (answer.status === null ? [answer.cut] : []));
  findings.add(cuts.length === 0, `resets ${cuts.length} ${[...new Set(cuts)].join(' ')}`.trim());
  const refusals = answers.filter(({ status }) => status === 503);
  const others = answers.length - taken - refusals.length - cuts.length;
  findings.equal(`other answers than ${taken} times 200 and ${refusals.length} times 503:`, others, 0);
  const silent = refusals.filter((answer) => retryAfterOf(answer) === null).length;
  findings.equal(`503 without Retry-After, of ${refusals.length}:`, silent, 0);
  return { taken, refused };
}

function makeLarge(rig: Rig): Made {
  return makeEnvelope(rig.dsn, 'error', { attachment: MIB });
}

async function upload(rig: Rig, made: Made): Promise<Answered> {
  const agent = keptConnections();
  const answer = await post(rig.errata.url, made.bytes, agent);
  agent.destroy();
  if (answer.status === 200) rig.acknowledge(made);
  return answer;
}

/** Sends refused uploads again, each after the time of Retry-After, until all are accepted. */
async function retry({ findings }: Trial, rig: Rig, refused: readonly Made[]): Promise<void> {
  const left = [...refused];
  let taken = 0;
  const senders = Array.from({ length: RETRY_SENDERS }, async () => {
    for (let made = left.pop(); made !== undefined; made = left.pop()) {
      const startedAtMs = performance.now();
      let answer = await upload(rig, made);
      while (answer.status === 503 && since(startedAtMs) < WATCHDOG_MS) {
        await delay((retryAfterOf(answer) ?? 1) * 1_000);
        answer = await upload(rig, made);
      }
      if (answer.status === 200) taken += 1;
    }
  });
  await Promise.all(senders);
  findings.equal(`accepted on retry, of ${refused.length}:`, taken, refused.length);
}

function retryAfterOf(answer: Answered): number | null {
  const value = answer.status === null ? undefined : answer.headers['retry-after'];
  return value === undefined || !/^\d+$/.test(value) ? null : Number(value);
}
