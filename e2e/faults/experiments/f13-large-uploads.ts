import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Experiment, Trial } from '../experiment.ts';
import { makeEnvelope } from '../parts/envelopes.ts';
import { judge } from '../parts/judge.ts';
import { type Answered, keptConnections, post } from '../parts/post.ts';
import { memoryOf } from '../parts/process-state.ts';
import { Rig } from '../parts/rig.ts';

const UPLOADS = 1_000;
/** Random bytes, which cannot be compressed. */
const MIB = randomBytes(2 ** 20);
const MAX_RSS_MIB = 400;
const LEAST_TAKEN = 50;
/** Number of rejected uploads that are sent again; in the long form all of them. */
const SHORT_RETRIES = 40;
const RETRY_SENDERS = 4;
/** Maximum number of retries of a client, each after the time of Retry-After. */
const MAX_RETRIES = 20;

export const largeUploads: Experiment = {
  id: 'F13',
  fault: '1,000 uploads of 1 MiB at once',
  target: 'RSS < 400 MiB; >= 50 answered 200, the others 503 with Retry-After and 200 on retry; no reset',
  run: async (trial) => {
    const { findings } = trial;
    const rig = await Rig.start(trial);
    const answers = await Promise.all(Array.from({ length: UPLOADS }, () => upload(rig)));
    const taken = answers.filter(({ status }) => status === 200).length;
    const refused = answers.filter(({ status }) => status === 503);
    findings.atLeast('answered 200', taken, LEAST_TAKEN);
    const cuts = answers.flatMap((answer) => (answer.status === null ? [answer.cut] : []));
    findings.add(cuts.length === 0, `resets ${cuts.length} ${[...new Set(cuts)].join(' ')}`.trim());
    const others = answers.length - taken - refused.length - cuts.length;
    findings.equal('other answers', others, 0);
    const silent = refused.filter((answer) => retryAfterOf(answer) === null).length;
    findings.equal(`503 without Retry-After, of ${refused.length}:`, silent, 0);
    await retry(trial, rig, trial.isFull ? refused.length : Math.min(refused.length, SHORT_RETRIES));
    findings.atMost('RSS at its peak', memoryOf(rig.errata.pid).peakMiB, MAX_RSS_MIB, ' MiB');
    // Compressing a thousand MiB takes long; it is enough that the uploads are queued.
    await judge(rig, findings, { timeoutMs: 5_000, mayHold: true, atLeast: LEAST_TAKEN });
  },
};

async function upload(rig: Rig): Promise<Answered> {
  const made = makeEnvelope(rig.dsn, 'error', { attachment: MIB });
  const agent = keptConnections();
  const answer = await post(rig.errata.url, made.bytes, agent);
  agent.destroy();
  if (answer.status === 200) rig.oracle.acknowledged(made);
  return answer;
}

async function retry({ findings }: Trial, rig: Rig, wanted: number): Promise<void> {
  let started = 0;
  let taken = 0;
  const senders = Array.from({ length: RETRY_SENDERS }, async () => {
    while (started < wanted) {
      started += 1;
      for (let time = 0; time < MAX_RETRIES; time += 1) {
        const answer = await upload(rig);
        if (answer.status === 200) {
          taken += 1;
          break;
        }
        await delay((retryAfterOf(answer) ?? 1) * 1_000);
      }
    }
  });
  await Promise.all(senders);
  findings.equal(`accepted on retry, of ${wanted}:`, taken, wanted);
}

function retryAfterOf(answer: Answered): number | null {
  const value = answer.status === null ? undefined : answer.headers['retry-after'];
  return value === undefined || !/^\d+$/.test(value) ? null : Number(value);
}
