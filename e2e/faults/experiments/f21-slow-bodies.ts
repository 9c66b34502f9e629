import { randomBytes } from 'node:crypto';
import type { Experiment, Trial } from '../experiment.ts';
import { makeEnvelope } from '../parts/envelopes.ts';
import { judge } from '../parts/judge.ts';
import type { Loader } from '../parts/loader.ts';
import { Rig } from '../parts/rig.ts';
import { type SlowAnswer, type SlowBody, uploadSlowly } from '../parts/slow-upload.ts';

const MIB = 2 ** 20;
const P99_LIMIT_MS = 1_000;
const CUT_LIMIT_S = 20;
const DRIPS = 32;
const PER_SECOND = 20;

/** Bodies that were announced and do not come: silent ones, and ones at a byte a second. */
const HOSTILE: readonly SlowBody[] = [
  ...[20 * MIB, 12 * MIB].map((announcedBytes) => slow(announcedBytes, 0)),
  ...Array.from({ length: DRIPS }, () => slow(MIB, 1)),
];

/** Sizes and rates of uploads on slow lines. */
const HONEST = [
  { bytes: 5 * MIB, perSecond: 120_000 },
  { bytes: MIB, perSecond: 16_000 },
] as const;
/** In the gate none is near the least rate, so that a busy machine does not change its answer. */
const GATE_HONEST = [{ bytes: MIB, perSecond: 120_000 }] as const;

type Honest = readonly { readonly bytes: number; readonly perSecond: number }[];

export const slowBodies: Experiment = {
  id: 'F21',
  fault: 'announced bodies that do not come',
  target: `small envelopes all 200, p99 < ${P99_LIMIT_MS / 1_000} s; each silent or dripping body ends with 408, or with 503 after waiting, within ${CUT_LIMIT_S} s; honest slow ones are accepted`,
  run: (trial) => slowly(trial, HONEST),
  gate: (trial) => slowly(trial, GATE_HONEST),
};

async function slowly(trial: Trial, honest: Honest): Promise<void> {
  const { findings } = trial;
  const rig = await Rig.start(trial);
  const uploads = Promise.all(honest.map((one) => uploadHonest(rig, one)));
  await findings.timed(
    P99_LIMIT_MS,
    async (times) => {
      const { load, ended } = await besideHostile(rig);
      const last = Math.max(...ended.map(({ ms }) => ms));
      times.atMost('the last one ended after', last / 1_000, CUT_LIMIT_S, ' s');
      times.atMost('p99 of small envelopes', p99Of(load), P99_LIMIT_MS, ' ms');
      const slowOnes = ended.filter(({ status }) => status === 408).length;
      const waiting = ended.filter(({ status }) => status === 503).length;
      findings.equal(
        `${slowOnes} times 408, ${waiting} times 503, others`,
        ended.length - slowOnes - waiting,
        0,
      );
      findings.atLeast('times 408', slowOnes, 1);
      findings.equal(`small envelopes of ${load.answers.length} not answered 200`, load.countOthers(200), 0);
    },
    99,
  );
  const statuses = (await uploads).map(({ status }) => status);
  findings.equal('honest slow uploads', statuses.join(' '), honest.map(() => 200).join(' '));
  await judge(rig, findings, { atLeast: honest.length + 1 });
}

/** Sends small envelopes until every hostile body has ended. */
export async function besideHostile(
  rig: Rig,
): Promise<{ readonly load: Loader; readonly ended: readonly SlowAnswer[] }> {
  const hostile = Promise.all(HOSTILE.map((body) => uploadSlowly(rig.errata.url, body)));
  const load = rig.load({ senders: 4, perSecond: PER_SECOND, kinds: ['error'] });
  const ended = await hostile;
  await load.stop();
  return { load, ended };
}

/** Returns the 99th percentile of the times of answers, ms. */
export function p99Of({ answers }: { readonly answers: readonly { readonly ms: number }[] }): number {
  const sorted = answers.map(({ ms }) => ms).sort((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
}

function slow(announcedBytes: number, bytesPerSecond: number): SlowBody {
  return { announcedBytes, bytes: Buffer.from('{'), bytesPerSecond };
}

async function uploadHonest(rig: Rig, { bytes, perSecond }: Honest[number]): Promise<SlowAnswer> {
  const made = makeEnvelope(rig.dsn, 'error', { attachment: randomBytes(bytes) });
  const answer = await uploadSlowly(rig.errata.url, {
    announcedBytes: made.bytes.length,
    bytes: made.bytes,
    bytesPerSecond: perSecond,
  });
  if (answer.status === 200) rig.oracle.acknowledged(made);
  return answer;
}
