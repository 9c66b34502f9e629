import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { runTool } from '../../../tools/commands.fixture.ts';
import type { Experiment, Trial } from '../experiment.ts';
import { emptied } from '../parts/ledger.ts';
import { Rig } from '../parts/rig.ts';
import { StoreFinder } from '../parts/store-finder.ts';
import { since } from '../parts/waiting.ts';

const SHORT_MB = 50;
const LONG_MB = 1_000;
const COPIED_WITHIN_MS = 120_000;
/** Rate of new events during the copy. */
const PER_SECOND = 100;
const SAMPLE = 100;

// The copy against a writer, and the restore, are tests of tools/ and e2e/commands.e2e.ts.
export const experiments: readonly Experiment[] = [
  {
    id: 'F30',
    fault: `a store of 1 GB [${SHORT_MB} MB] is copied at ${PER_SECOND} events/s, and restored elsewhere`,
    isLeftOut: true,
    run: copyAndRestore,
  },
];

async function copyAndRestore(trial: Trial): Promise<void> {
  const { findings, scratch, scale } = trial;
  const rig = await Rig.start(trial, { upstream: null });
  const { errata } = rig;
  await rig.load({ senders: 4, kinds: ['error'], isUnique: true, total: SAMPLE }).done();
  await emptied(errata);
  const sample = [...rig.obligations.keys()];
  await errata.signal('SIGTERM');
  enlarge(join(errata.dataDir, 'store.db'), scale === 'long' ? LONG_MB : SHORT_MB);
  await errata.start();

  const backups = scratch.folder('backups');
  const load = rig.load({ senders: 4, kinds: ['error'], isUnique: true, perSecond: PER_SECOND });
  await load.untilCount(200, PER_SECOND);
  await findings.duration('copied after', COPIED_WITHIN_MS, async () => {
    const startedAtMs = performance.now();
    const { code } = await runTool('backup.ts', { ERRATA_DATA_DIR: errata.dataDir, DIR: backups });
    findings.equal('exit status of the copy', code ?? 'none', 0);
    return since(startedAtMs);
  });
  await load.stop();
  findings.equal('answers other than 200', load.countOthers(200), 0);

  const from = join(backups, readdirSync(backups).at(-1) ?? '');
  const dataDir = join(scratch.directory, 'restored');
  const { code } = await runTool('restore.ts', { ERRATA_DATA_DIR: dataDir, FROM: from });
  findings.equal('exit status of the restore', code ?? 'none', 0);
  const restored = await Rig.start(trial, { upstream: null, dataDir });
  const missing = await (await StoreFinder.signIn(restored.errata)).missing(sample);
  findings.equal(`found of ${SAMPLE}`, sample.length - missing.length, SAMPLE);
}

/** Adds random bytes to the file of a stopped process: a copy reads pages with any content. */
function enlarge(path: string, mb: number): void {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE ballast (bytes BLOB)');
  const insert = database.prepare('INSERT INTO ballast VALUES (randomblob(1000000))');
  for (let written = 0; written < mb; written += 1) insert.run();
  database.close();
}
