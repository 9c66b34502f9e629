import type { Store } from '../../backend/src/store/store.ts';
import { BATCHES_AT_ONCE } from '../../backend/src/store/store-sink.ts';
import { chmodSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '../table.ts';
import type { Verdict } from '../verdict.ts';
import { type Question, type Span, startClock, Times } from './clock.ts';
import { type Flavor, make, type Measured, storeOver } from './databases.ts';
import { type Corpus, DAYS, timeOf } from './events.ts';
import { ingestAll } from './ingest.ts';
import { questions } from './questions.ts';

/** Events a second that the store takes on one core; PostgreSQL has another one. */
const MIN_INGEST = 2_000;
/** The store's longest page. */
const PAGE = 200;

interface FindBench extends Corpus {
  readonly flavors: readonly Flavor[];
  readonly directory: string;
  readonly print: (line: string) => void;
}

/** Fills a store and asks it, for each database. */
export async function measureFind(bench: FindBench): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const flavor of bench.flavors) {
    const directory = mkdtempSync(join(bench.directory, 'read-'));
    // PostgreSQL refuses to run as root; its user needs access to the folders above its data.
    for (const folder of [bench.directory, directory]) chmodSync(folder, 0o755);
    const database = await make(flavor, directory);
    try {
      verdicts.push(...(await measureOne(database, bench)));
    } finally {
      await database.remove();
    }
  }
  return verdicts;
}

async function measureOne(database: Measured, bench: FindBench): Promise<readonly Verdict[]> {
  const { events, issues, print } = bench;
  const { title } = database;
  const nowMs = timeOf(events, bench);
  print(
    `\n${title}: ${events.toLocaleString('en')} events of ${issues.toLocaleString('en')} issues in ${DAYS} days`,
  );
  const filling = storeOver(database, nowMs);
  const span = await ingestAll(filling, bench, { atOnce: BATCHES_AT_ONCE[database.flavor], print });
  const digests = await digestsOf(filling, issues);
  await filling.close();
  const bytes = await database.bytes();
  print(`  ${(bytes / 2 ** 20).toFixed(0)} MiB, ${Math.round(bytes / events)} bytes an event`);
  const store = storeOver(database, nowMs);
  const startMs = await coldStart(store, digests[0] ?? '');
  print(
    `  opened, and the first digest found, in ${startMs.toFixed(0)} ms (the file still in the system's cache)`,
  );
  const verdicts = [ingestVerdict(title, span, events)];
  const rows: string[][] = [];
  for (const question of questions(store, digests, bench, database.flavor)) {
    const times = await Times.of(question);
    rows.push(rowOf(question, times));
    if (question.targetMs !== null) verdicts.push(verdictOf(title, question, times));
  }
  await store.close();
  print(table([['  ms', 'calls', 'p50', 'p95', 'p99', 'most'], ...rows], 1));
  return verdicts;
}

async function digestsOf(store: Store, issues: number): Promise<readonly string[]> {
  const digests: string[] = [];
  for (let cursor: string | null = null; ;) {
    const page: { readonly issues: readonly { readonly digest: string }[]; readonly next: string | null } =
      await store.ask('issues', PAGE, cursor);
    digests.push(...page.issues.map(({ digest }) => digest));
    cursor = page.next;
    if (cursor === null) break;
  }
  if (digests.length !== issues) throw new Error(`the store has ${digests.length} issues, not ${issues}`);
  return digests;
}

/** Until the first answer: opening, the look whether the layout is this version's, cold caches of the database. */
async function coldStart(store: Store, digest: string): Promise<number> {
  const stop = startClock();
  await store.ask('find', digest);
  return stop().seconds * 1000;
}

function ingestVerdict(title: string, { seconds, ownCpu, serverCpu, isVoid }: Span, events: number): Verdict {
  const perSecond = events / seconds;
  const perCpuSecond = events / ownCpu;
  const us = (cpu: number): string => `${((cpu / events) * 1e6).toFixed(0)} us`;
  const server = serverCpu === 0 ? '' : `, server ${us(serverCpu)}`;
  return {
    what: `${title}: ingest, events/s on one core`,
    target: `>= ${MIN_INGEST.toLocaleString('en')}`,
    measured: `${Math.round(perSecond)} (${Math.round(perCpuSecond)} a CPU second; store ${us(ownCpu)}${server})`,
    isMet: perSecond >= MIN_INGEST,
    isVoid,
  };
}

function rowOf({ what }: Question, times: Times): string[] {
  const ms = (share: number): string => times.at(share).toFixed(1);
  return [`  ${what}`, String(times.count), ms(0.5), ms(0.95), ms(0.99), ms(1)];
}

function verdictOf(title: string, { what, targetMs }: Question, times: Times): Verdict {
  const p95 = times.at(0.95);
  return {
    what: `${title}: ${what}, p95`,
    target: `<= ${targetMs} ms`,
    measured: `${p95.toFixed(1)} ms`,
    isMet: targetMs === null ? null : p95 <= targetMs,
    isVoid: times.isVoid,
  };
}
