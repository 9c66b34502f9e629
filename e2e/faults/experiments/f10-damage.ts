import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { PAGE_BYTES, pageOf, zeroLeaf, zeroPage } from '../../../backend/src/sqlite/damage.fixture.ts';
import type { Experiment, Trial } from '../experiment.ts';
import { brokenCopy } from '../parts/broken-copy.ts';
import { compare } from '../parts/judge.ts';
import { emptied, fate, spoolFaults } from '../parts/ledger.ts';
import type { LoadOptions } from '../parts/loader.ts';
import { Rig, type RigOptions } from '../parts/rig.ts';
import { StoreFinder } from '../parts/store-finder.ts';
import { mustCome } from '../parts/waiting.ts';

/** Errors that are held and stored when the process stops. */
const HELD = { long: 1_500, short: 300, gate: 300 };
const NEW = 100;
const DELIVERED_WITHIN_MS = 60_000;
/** Each has an issue of its own, and overflow pages in the spool. */
const ERRORS: LoadOptions = { senders: 4, kinds: ['error'], isUnique: true, attachment: randomBytes(6_000) };

/** Damages a closed database, and returns the most of its errors that may be lost. */
type Injury = (path: string) => number;

const INJURIES: Readonly<Record<string, readonly (readonly [what: string, injury: Injury])[]>> = {
  'spool.db': [
    ['a leaf of body', (path) => zeroLeaf(path, 'body')],
    ['an overflow page of body', (path) => zeroed(path, pageOf(path, 'overflow', 'body').page, 1)],
    ['a leaf of envelope', (path) => zeroLeaf(path, 'envelope')],
    ['an index', (path) => zeroed(path, pageOf(path, 'leaf', 'repeat').page, 0)],
    ['the ledger', (path) => zeroed(path, pageOf(path, 'leaf', 'ledger').page, 0)],
    ['half of the file', halved],
  ],
  'store.db': [
    ['a leaf of event', (path) => zeroLeaf(path, 'event')],
    ['a leaf of an index', (path) => zeroed(path, pageOf(path, 'leaf', 'issue_digest').page, 0)],
    ['a leaf of issue_fact', (path) => zeroed(path, pageOf(path, 'leaf', 'issue_fact').page, 0)],
  ],
};

/** Gives up a table at its first damaged page. */
const GIVE_UP = [
  { file: 'sqlite/salvage.js', pattern: /at = nextReadable\([^;]*;/g, replacement: 'at = undefined;' },
];

export const experiments: readonly Experiment[] = [
  { id: 'F10', fault: 'damaged pages, truncated file', isLeftOut: true, run: damageInAllWays },
  { id: 'C10', fault: 'control: a copy that ends at the first error', isLeftOut: true, run: giveUp },
];

async function damageInAllWays(trial: Trial): Promise<void> {
  for (const [name, injuries] of Object.entries(INJURIES)) {
    for (const [what, injury] of injuries) await injure(trial, name, `${name}, ${what}`, injury);
  }
  await truncateDatabase(trial);
}

async function injure(trial: Trial, name: string, what: string, injury: Injury): Promise<void> {
  const { findings, scale } = trial;
  const rig = await stopped(trial, HELD[scale]);
  const held = [...rig.obligations.keys()];
  const rows = injury(join(rig.errata.dataDir, name));
  const [ofSpool, ofStore] = name === 'spool.db' ? [rows, 0] : [0, rows];
  const absent = await deliveredAfter(rig);
  findings.atMost(`${what}: lost of ${held.length}`, absent.length, ofSpool);
  findings.equal('of them reported', await reported(rig), absent.length);
  findings.equal('missing in the ledger', await fate(rig.errata, 'missing'), 0);
  findings.atMost('thread deaths', await spoolFaults(rig.errata, 'thread_death'), 1);
  const loader = rig.load({ ...ERRORS, total: NEW });
  await loader.done();
  findings.equal('new ones answered 200', loader.answers.filter(({ status }) => status === 200).length, NEW);
  await emptied(rig.errata);
  const lost = compare(rig.obligations, rig, 0).lost.filter((id) => !held.includes(id));
  findings.equal('of them not delivered', lost.length, 0);
  const finder = await StoreFinder.signIn(rig.errata);
  const fresh = [...rig.obligations.keys()].slice(held.length);
  findings.equal('not found', (await finder.missing(fresh)).length, 0);
  // The first look-up on the page is refused, and others until the file is replaced.
  const missing = async (): Promise<number> => (await finder.missing(held)).length;
  await mustCome('the stored ones', async () => (await missing()) <= ofStore, DELIVERED_WITHIN_MS);
  findings.atMost('stored ones not found', await missing(), ofStore);
  await rig.errata.kill();
}

/** Starts Errata with errors that are stored and cannot be delivered, and stops it. */
async function stopped(trial: Trial, total: number, options: RigOptions = {}): Promise<Rig> {
  const rig = await Rig.start(trial, options);
  await rig.upstream.down();
  await rig.load({ ...ERRORS, total }).done();
  const finder = await StoreFinder.signIn(rig.errata);
  await mustCome('the last error in the store', async () =>
    finder.has([...rig.obligations.keys()].at(-1) ?? ''),
  );
  // A regular stop writes the log into the database.
  await rig.errata.stop();
  return rig;
}

/** Starts Errata. Returns the held envelopes that the upstream does not get. */
async function deliveredAfter(rig: Rig): Promise<readonly string[]> {
  await rig.upstream.up();
  await rig.errata.start();
  const absent = (): readonly string[] => compare(rig.obligations, rig, 0).lost;
  const isEnded = async (): Promise<boolean> => absent().length <= (await reported(rig));
  await mustCome('the held ones, or the number of the lost ones', isEnded, DELIVERED_WITHIN_MS);
  await emptied(rig.errata);
  return absent();
}

/** Returns the number of envelopes that Errata has reported as lost. */
async function reported(rig: Rig): Promise<number> {
  return (await spoolFaults(rig.errata, 'lost')) + (await spoolFaults(rig.errata, 'corrupt'));
}

async function giveUp(trial: Trial): Promise<void> {
  const rig = await stopped(trial, HELD.short, { root: brokenCopy(trial.scratch, 'give-up', GIVE_UP) });
  const rows = zeroLeaf(join(rig.errata.dataDir, 'spool.db'), 'body');
  const absent = await deliveredAfter(rig);
  trial.findings.atLeast('lost off the page, or the experiment is blind:', absent.length - rows, 1);
}

/** Cuts the database within its second page: an empty file would be a new database. */
async function truncateDatabase(trial: Trial): Promise<void> {
  const { findings } = trial;
  const rig = await stopped(trial, NEW);
  const { dataDir } = rig.errata;
  const path = join(dataDir, 'spool.db');
  truncateSync(path, 6_000);
  const before = readFileSync(path);
  findings.equal('truncated file: lost', (await deliveredAfter(rig)).length, NEW);
  const aside = readdirSync(dataDir).filter((name) => /^spool\.db\.unreadable-\d+$/.test(name));
  findings.equal('files moved aside', aside.length, 1);
  const isSame = aside.every((name) => readFileSync(join(dataDir, name)).equals(before));
  findings.add(isSame, 'with the same bytes');
  findings.equal('its loss reported', await spoolFaults(rig.errata, 'lost'), NEW);
}

function zeroed(path: string, page: number, atMost: number): number {
  zeroPage(path, page);
  return atMost;
}

function halved(path: string): number {
  truncateSync(path, Math.ceil(statSync(path).size / 2 / PAGE_BYTES) * PAGE_BYTES);
  return Infinity;
}
