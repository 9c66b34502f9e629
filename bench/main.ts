import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { OTHER_CORE } from './cores.ts';
import { measureClosed } from './closed.ts';
import { measureDepth } from './depth.ts';
import { measureDigest } from './digest.ts';
import { measureGateway } from './gateway.ts';
import { measureIntake } from './intake.ts';
import { measureLatency } from './latency.ts';
import { measureFind } from './find/find.ts';
import { type LoadMode, readOptions } from './options.ts';
import { type PayloadName, PAYLOAD_NAMES } from './payloads.ts';
import { report } from './report.ts';
import { Results } from './series.ts';
import { SERVERS } from './servers.ts';
import { measureSustained } from './sustained.ts';
import { verdicts } from './targets.ts';
import { verdictTable } from './verdict.ts';
import { Upstream } from './upstream.ts';

/**
 * Compares the throughput of one core: Errata, which answers once an envelope is on disk and stores errors, next to tunnels
 * that answer once the upstream has. All figures are of this run on this machine; only their ratios mean anything
 * elsewhere. docs/benchmarks.md describes the measurements and their reasons.
 */

/** On a disk everywhere; /tmp is memory on many systems, where an fsync costs nothing. */
const SCRATCH = '/var/tmp';

interface Measure {
  readonly run: (bench: Bench, payload: PayloadName) => Promise<void>;
  /** Without these a target would have no figure. */
  readonly payloads: readonly PayloadName[];
  /** With FULL=1. */
  readonly allPayloads: readonly PayloadName[];
}

const MEASURES: Readonly<Record<LoadMode, Measure>> = {
  intake: { run: measureIntake, payloads: ['error'], allPayloads: PAYLOAD_NAMES },
  e2e: { run: measureSustained, payloads: ['transaction', 'error'], allPayloads: PAYLOAD_NAMES },
  closed: { run: measureClosed, payloads: ['error'], allPayloads: ['transaction', 'error'] },
  latency: { run: measureLatency, payloads: ['transaction'], allPayloads: ['transaction', 'error'] },
  depth: { run: measureDepth, payloads: ['error'], allPayloads: ['error'] },
  gateway: { run: measureGateway, payloads: ['error'], allPayloads: ['error'] },
};

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function printMachine(): void {
  const load = readFileSync('/proc/loadavg', 'utf8').split(' ')[0] ?? '?';
  const isBusy = Number(load) > 0.5;
  print(
    `${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores, Linux ${release()}, Node ${process.version}`,
  );
  print(
    `load average before the run ${load}${isBusy ? ': other work is going on, the figures are noisy' : ''}`,
  );
}

const options = readOptions(
  process.env,
  SERVERS.map(({ id }) => id),
);
const startedAtMs = performance.now();
const directory = mkdtempSync(join(SCRATCH, 'errata-bench-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

printMachine();
const results = new Results();
const loads = options.modes.filter((mode) => mode !== 'digest' && mode !== 'find');
if (loads.length > 0) {
  const upstream = await Upstream.start(directory, OTHER_CORE);
  const servers = SERVERS.filter(({ id }) => options.only?.includes(id) ?? true);
  const bench = { options, directory, upstream, servers, results, print };
  for (const mode of loads) {
    const { run, payloads, allPayloads } = MEASURES[mode];
    const chosen = options.payloads ?? (options.isFull ? allPayloads : payloads);
    for (const payload of chosen) await run(bench, payload);
  }
  await upstream.stop();
  print(`\nMedians of ${options.rounds} rounds.\n\n${report(results)}`);
}
const digest = options.modes.includes('digest') ? [measureDigest()] : [];
const { databases: flavors, events, issues } = options;
const found = options.modes.includes('find')
  ? await measureFind({ flavors, events, issues, directory, print })
  : [];
print(`\n${verdictTable([...verdicts(results), ...digest, ...found])}\n`);
print(`done in ${((performance.now() - startedAtMs) / 60_000).toFixed(1)} minutes`);
