import { randomBytes } from 'node:crypto';
import type { Experiment, Trial } from '../experiment.ts';
import { brokenCopy, type Patch } from '../parts/broken-copy.ts';
import { makeEnvelope } from '../parts/envelopes.ts';
import { judge } from '../parts/judge.ts';
import type { Loader } from '../parts/loader.ts';
import { percentile } from '../parts/percentile.ts';
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

/** Memory is reserved by the announced length, in one pool, before a byte arrives. */
const RESERVE_ANNOUNCED: readonly Patch[] = [
  {
    file: 'tunnel/body-memory.js',
    pattern: /begin\((\w+)\) \{\s+return [^;]*;/g,
    replacement: 'begin($1) {\n        return this.grow($1);',
  },
  {
    file: 'tunnel/body-memory.js',
    pattern: /const SMALL_PART = [^;]*;/g,
    replacement: 'const SMALL_PART = 0;',
  },
];

// In `make test` the specs of tunnel/ prove the counts: little-memory, http-faults, body-pace.
export const experiments: readonly Experiment[] = [
  { id: 'F21', fault: 'announced bodies that do not come', isLeftOut: true, run: slowBodies },
  { id: 'C21', fault: 'control: memory by the announced length', isLeftOut: true, run: reserveAnnounced },
];

async function slowBodies(trial: Trial): Promise<void> {
  const { findings } = trial;
  const rig = await Rig.start(trial);
  const uploads = Promise.all(HONEST.map((one) => uploadHonest(rig, one)));
  await findings.timed(
    P99_LIMIT_MS,
    async (times) => {
      const { load, ended } = await besideHostile(rig);
      const last = Math.max(...ended.map(({ ms }) => ms));
      times.atMost('the last one ended after', last / 1_000, CUT_LIMIT_S, ' s');
      times.atMost('p99 of small envelopes', percentile(load.answers, 99), P99_LIMIT_MS, ' ms');
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
  findings.equal('honest slow uploads', statuses.join(' '), HONEST.map(() => 200).join(' '));
  await judge(rig, findings, { atLeast: HONEST.length + 1 });
}

/** Two announced bodies take all the memory, without a byte. */
async function reserveAnnounced(trial: Trial): Promise<void> {
  const root = brokenCopy(trial.scratch, 'announced', RESERVE_ANNOUNCED);
  const { load } = await besideHostile(await Rig.start(trial, { root }));
  trial.findings.atLeast('small envelopes not answered 200', load.countOthers(200), 1);
}

/** Sends small envelopes until every hostile body has ended. */
async function besideHostile(
  rig: Rig,
): Promise<{ readonly load: Loader; readonly ended: readonly SlowAnswer[] }> {
  const hostile = Promise.all(HOSTILE.map((body) => uploadSlowly(rig.errata.url, body)));
  const load = rig.load({ senders: 4, perSecond: PER_SECOND, kinds: ['error'] });
  const ended = await hostile;
  await load.stop();
  return { load, ended };
}

function slow(announcedBytes: number, bytesPerSecond: number): SlowBody {
  return { announcedBytes, bytes: Buffer.from('{'), bytesPerSecond };
}

async function uploadHonest(rig: Rig, { bytes, perSecond }: (typeof HONEST)[number]): Promise<SlowAnswer> {
  const made = makeEnvelope(rig.dsn, 'error', { attachment: randomBytes(bytes) });
  const answer = await uploadSlowly(rig.errata.url, {
    announcedBytes: made.bytes.length,
    bytes: made.bytes,
    bytesPerSecond: perSecond,
  });
  if (answer.status === 200) rig.acknowledge(made);
  return answer;
}
