import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Child } from './child.ts';

/** What the loader saw. */
export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers of 400 and above. */
  readonly notOk: number;
  /** Connections refused or cut, and answers that did not come. */
  readonly broken: number;
  readonly loaderCpu: number;
}

export interface Load {
  readonly port: number;
  readonly dsn: string;
  readonly connections: number;
  readonly seconds: number;
  readonly core: number;
  readonly directory: string;
}

interface WrkResult {
  readonly requests: number;
  readonly durationUs: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly notOk: number;
  readonly broken: number;
}

/** How often the loader's CPU time is read; what it uses after the last look is lost, at most this long. */
const LOOK_MS = 50;

/** Keeps all connections busy for the given time. @throws when the loader gave no result. */
export async function runLoad({
  port,
  dsn,
  connections,
  seconds,
  core,
  directory,
}: Load): Promise<LoadResult> {
  const seed = randomBytes(4).toString('hex');
  const log = join(directory, `wrk-${seed}.log`);
  const script = join(import.meta.dirname, 'envelope.lua');
  const command = [
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '10s',
    '-s',
    script,
    `http://127.0.0.1:${port}`,
  ];
  const child = Child.start('wrk', core, command, { DSN: dsn, SEED: seed }, log);
  let cpuSeconds = 0;
  for (let now = child.cpuSeconds; !child.hasEnded; now = child.cpuSeconds) {
    cpuSeconds = Math.max(cpuSeconds, now ?? 0);
    await delay(LOOK_MS);
  }
  const output = readFileSync(log, 'utf8');
  const json = /^RESULT (.*)$/m.exec(output)?.[1];
  if (json === undefined) throw new Error(`wrk gave no result:\n${output}`);
  const wrk = JSON.parse(json) as WrkResult;
  return {
    requests: wrk.requests,
    seconds: wrk.durationUs / 1e6,
    p50Ms: wrk.p50Us / 1e3,
    p99Ms: wrk.p99Us / 1e3,
    notOk: wrk.notOk,
    broken: wrk.broken,
    loaderCpu: cpuSeconds / seconds,
  };
}
