import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Child } from './child.ts';
import { type PageName, type PayloadName, writePayload } from './payloads.ts';
import { cpuSeconds } from './proc.ts';

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
  readonly loaderCpuSeconds: number;
}

export interface Load {
  readonly payload: PayloadName | PageName;
  /** Of another listener than the application's. */
  readonly port?: number;
  readonly connections: number;
  readonly seconds: number;
  /** So many requests a second, by a schedule; null: each connection sends again once it is answered. */
  readonly rate: number | null;
}

/** Where the load goes, and where the loader runs and leaves its files. */
export interface LoadTarget {
  readonly port: number;
  readonly dsn: string;
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

/** How often the loader's CPU time is read; its use after the last reading is lost, at most this long. */
const LOOK_MS = 50;

function startWrk(load: Load, target: LoadTarget, log: string): Child {
  const script = join(import.meta.dirname, 'requests.lua');
  const command = ['wrk', '-t1', `-c${load.connections}`, `-d${load.seconds}s`, '--timeout', '10s'];
  const environment = {
    ...writePayload(load.payload, target.dsn, target.directory),
    SEED: randomBytes(4).toString('hex'),
    RATE: load.rate === null ? '' : String(load.rate),
  };
  const url = `http://127.0.0.1:${load.port ?? target.port}`;
  return Child.start('wrk', target.core, [...command, '-s', script, url], environment, log);
}

/**
 * Sends for the given time, or until `signal` ends it early.
 *
 * @throws when the loader gave no result.
 */
export async function runLoad(load: Load, target: LoadTarget, signal?: AbortSignal): Promise<LoadResult> {
  const log = join(target.directory, `wrk-${randomBytes(4).toString('hex')}.log`);
  const child = startWrk(load, target, log);
  signal?.addEventListener('abort', () => child.interrupt());
  let loaderCpuSeconds = 0;
  while (!child.hasEnded) {
    loaderCpuSeconds = Math.max(loaderCpuSeconds, cpuSeconds(child.pid) ?? 0);
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
    loaderCpuSeconds,
  };
}
