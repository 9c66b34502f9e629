import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, release } from 'node:os';
import { join } from 'node:path';
import { freePort } from './child.ts';
import { backlogLines, type Series, table } from './report.ts';
import { OTHER_CORE, type Round, runRound } from './round.ts';
import { SERVERS, type ServerKind } from './servers.ts';
import { Upstream } from './upstream.ts';

/**
 * Compares what one core can take in: Errata, which answers once an envelope is on disk, next to tunnels that answer
 * once the upstream has. All figures are of this run on this machine; only their ratios mean anything elsewhere.
 */

/** On a disk everywhere; /tmp is memory on many systems, where an fsync costs nothing. */
const SCRATCH = '/var/tmp';

function positive(name: string, fallback: number): number {
  const value = Number(process.env[name] ?? fallback);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} must be a whole number above zero`);
  return value;
}

function chosen(): readonly ServerKind[] {
  const only = process.env['ONLY']?.split(',');
  return only === undefined ? SERVERS : SERVERS.filter(({ id }) => only.includes(id));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function describe(round: Round): string {
  const { requests, seconds, notOk, voidReason } = round;
  const rate = Math.round((requests - notOk) / seconds).toLocaleString('en');
  return `${rate}/s${voidReason === null ? '' : ` (void: ${voidReason})`}`;
}

async function runAll(directory: string, upstream: Upstream): Promise<readonly Series[]> {
  const options = {
    connections: positive('CONNECTIONS', 128),
    seconds: positive('SECONDS_PER_ROUND', 5),
    warmUpSeconds: positive('WARM_UP_SECONDS', 2),
    directory,
    upstream,
  };
  const rounds = positive('ROUNDS', 3);
  const all = chosen().map((kind) => ({ kind, rounds: [] as Round[] }));
  print(`${options.connections} connections, ${rounds} rounds of ${options.seconds} s, envelopes of 3 KiB\n`);
  for (let index = 1; index <= rounds; index += 1) {
    for (const series of all) {
      const round = await runRound(series.kind, options);
      series.rounds.push(round);
      print(`round ${index}  ${series.kind.title}: ${describe(round)}`);
    }
  }
  return all;
}

const directory = mkdtempSync(join(SCRATCH, 'errata-bench-'));
const load = readFileSync('/proc/loadavg', 'utf8').split(' ')[0] ?? '?';
print(
  `${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} cores, Linux ${release()}, Node ${process.version}`,
);
print(
  `load average before the run ${load}${Number(load) > 0.5 ? ': other work is going on, the figures are noisy' : ''}`,
);
let upstream: Upstream | undefined;
try {
  upstream = await Upstream.start(directory, await freePort(), OTHER_CORE);
  const all = await runAll(directory, upstream);
  print(`\n${table(all)}\n`);
  for (const series of all.filter(({ kind }) => kind.isDurable)) {
    print(`${series.kind.title}: what was answered and what arrived`);
    for (const line of backlogLines(series)) print(line);
  }
} finally {
  await upstream?.child.stop();
  rmSync(directory, { recursive: true, force: true });
}
