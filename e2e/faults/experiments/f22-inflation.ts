import { request } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { Experiment, Trial } from '../experiment.ts';
import { judge } from '../parts/judge.ts';
import { percentile } from '../parts/percentile.ts';
import { memoryOf } from '../parts/process-state.ts';
import { Rig } from '../parts/rig.ts';
import { since } from '../parts/waiting.ts';

/** 20 MiB that compress to almost nothing, and one byte over the limit of an envelope. */
const BLANKS = Buffer.alloc(20 * 2 ** 20 + 1, ' ');
/** More than fit into the memory that is allowed. */
const PARALLEL = { gate: 28, short: 100, long: 100 } as const;
const MAX_RSS_MIB = 512;
const P99_LIMIT_MS = 2_000;
const LIVE_LIMIT_MS = 1_000;
const PER_SECOND = 20;
/** The limit of the body, of its network, or no memory. */
const REJECTED: readonly number[] = [413, 429, 503];

interface Bomb {
  readonly path: string;
  readonly encoding: string;
  readonly bytes: Buffer;
}

export const experiments: readonly Experiment[] = [
  {
    id: 'F22',
    fault: `${PARALLEL.short} parallel bodies that inflate to 20 MiB, in each encoding`,
    run: inflate,
  },
];

async function inflate(trial: Trial): Promise<void> {
  const { findings } = trial;
  const rig = await Rig.start(trial);
  await findings.timed(
    LIVE_LIMIT_MS,
    async (times) => {
      const load = rig.load({ senders: 4, perSecond: PER_SECOND, kinds: ['error'] });
      let slowestMs = 0;
      const others: string[] = [];
      for (const bomb of bombsFor(rig)) {
        const answers = Promise.all(Array.from({ length: PARALLEL[trial.scale] }, () => send(rig, bomb)));
        slowestMs = Math.max(slowestMs, await slowestLookAtLife(rig, answers));
        const unexpected = (await answers).filter((status) => !REJECTED.includes(Number(status)));
        others.push(...unexpected.map((status) => `${bomb.encoding} ${status}`));
      }
      await load.stop();
      findings.equal('answers other than 413, 429 and 503:', others.join(', '), '');
      findings.equal(`small envelopes of ${load.answers.length} not answered 200`, load.countOthers(200), 0);
      times.atMost('the slowest answer of /livez', slowestMs, LIVE_LIMIT_MS, ' ms');
      times.atMost('p99 of small envelopes', percentile(load.answers, 99), P99_LIMIT_MS, ' ms');
    },
    99,
  );
  findings.atMost('RSS at its peak', memoryOf(rig.errata.pid).peakMiB, MAX_RSS_MIB, ' MiB');
  await judge(rig, findings, { atLeast: 1 });
}

function bombsFor({ dsn }: Rig): readonly Bomb[] {
  const { username, pathname } = new URL(dsn);
  const store = `/api${pathname}/store/?sentry_key=${username}`;
  return [
    { path: store, encoding: 'identity', bytes: Buffer.from(deflateSync(BLANKS).toString('base64')) },
    { path: '/tunnel', encoding: 'gzip', bytes: gzipSync(BLANKS) },
    { path: '/tunnel', encoding: 'deflate', bytes: deflateSync(BLANKS) },
    { path: '/tunnel', encoding: 'zstd', bytes: zstdCompressSync(BLANKS) },
    { path: '/tunnel', encoding: 'br', bytes: brotliCompressSync(BLANKS) },
  ];
}

/** Returns the status, or the code of the error of a connection that was cut. */
function send({ errata }: Rig, { path, encoding, bytes }: Bomb): Promise<string> {
  return new Promise((resolve) => {
    const sending = request(
      `${errata.url}${path}`,
      {
        method: 'POST',
        agent: false,
        headers: { 'content-length': bytes.length, 'content-encoding': encoding },
      },
      (answer) => {
        answer.resume();
        resolve(String(answer.statusCode));
      },
    );
    sending.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sending.end(bytes);
  });
}

/** Asks for /livez until the work ends, and returns the longest time of an answer, ms. */
async function slowestLookAtLife({ errata }: Rig, work: Promise<unknown>): Promise<number> {
  const over = new AbortController();
  void work.then(() => over.abort());
  let slowestMs = 0;
  while (!over.signal.aborted) {
    const startedAtMs = performance.now();
    const answer = await fetch(`${errata.managementUrl}/livez`);
    await answer.arrayBuffer();
    slowestMs = Math.max(slowestMs, since(startedAtMs));
  }
  return slowestMs;
}
