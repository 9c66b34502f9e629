import {
  openSync,
  readdirSync,
  readFileSync,
  closeSync,
  statSync,
  truncateSync,
  writeSync,
  existsSync,
} from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { DeadLetterDetail, DeadLetterList } from '../../../backend/src/contract/delivery-api.ts';
import { type ErrataProcess, TOKEN } from '../../fixtures/errata-process.ts';
import type { Experiment, Trial } from '../experiment.ts';
import { type Made, makeEnvelope } from '../parts/envelopes.ts';
import { compare, judgeFresh } from '../parts/judge.ts';
import { emptied, fate, spoolFaults } from '../parts/ledger.ts';
import { keptConnections, post } from '../parts/post.ts';
import { Rig } from '../parts/rig.ts';

const HELD = 100;

/** Names of the spool's files; the experiments know no other internal names. */
const DATABASE = 'spool.db';
const LOG = 'spool.db-wal';
/** The database that was moved aside, without its log. */
const ASIDE = /^spool\.db\.unreadable-\d+$/;

const MARK = 'the row whose bit flips';
/** The mark after the flip of the lowest bit of its first byte. */
const FLIPPED_MARK = 'uhe row whose bit flips';

export const damage: Experiment = {
  id: 'F10',
  fault: 'bit flips, truncated WAL, truncated file',
  target: 'one row quarantined; the exact loss of the log reported; an unreadable file moved aside',
  run: damageInAllWays,
  gate: damageInAllWays,
};

async function damageInAllWays(trial: Trial): Promise<void> {
  await flipInRow(trial);
  await damageLog(trial, 'a bit flipped in the log', (path) =>
    flipBit(path, Math.floor(statSync(path).size / 2)),
  );
  await damageLog(trial, 'half of the log', (path) =>
    truncateSync(path, Math.floor(statSync(path).size / 2)),
  );
  await truncateDatabase(trial);
}

/** Starts Errata with envelopes that it cannot deliver. */
async function holding(trial: Trial): Promise<Rig> {
  const rig = await Rig.start(trial);
  await rig.upstream.down();
  const load = rig.load({ senders: 4, total: HELD, kinds: ['transaction'] });
  await load.done();
  return rig;
}

/** Flips one bit of one payload. */
async function flipInRow(trial: Trial): Promise<void> {
  const { findings } = trial;
  const rig = await holding(trial);
  const marked = makeEnvelope(rig.dsn, 'error', { message: MARK });
  const agent = keptConnections();
  await post(rig.errata.url, marked.bytes, agent);
  agent.destroy();
  // A regular stop writes the log into the database.
  await rig.errata.stop();
  const path = join(rig.errata.dataDir, DATABASE);
  flipBit(path, readFileSync(path).indexOf(MARK));
  await rig.errata.start();
  await rig.upstream.up();
  await emptied(rig.errata);
  findings.equal('flipped in a row: rows quarantined', await spoolFaults(rig.errata, 'corrupt'), 1);
  findings.equal('counted as dead letters', await fate(rig.errata, 'dead_lettered'), 1);
  findings.equal('missing in the ledger', await fate(rig.errata, 'missing'), 0);
  await judgeLetter(trial, rig, marked);
  const { lost } = compare(rig.oracle.read(), rig, 0);
  findings.equal('others lost', lost.length, 0);
  const wasSent = rig.upstream.seen.some(({ id }) => id === marked.id);
  findings.add(!wasSent, wasSent ? 'the corrupt row was sent' : 'the corrupt row was not sent');
  await judgeFresh(rig, findings);
  await rig.errata.kill();
}

/** Checks that the corrupt row is the only dead letter, and has its bytes as they are on the disk. */
async function judgeLetter({ findings }: Trial, { errata }: Rig, marked: Made): Promise<void> {
  const { deadLetters } = await read<DeadLetterList>(errata, 'dead-letters');
  const [letter] = deadLetters;
  findings.equal('dead letters', deadLetters.length, 1);
  if (letter === undefined) return;
  const { eventId, items } = await read<DeadLetterDetail>(errata, `dead-letters/${letter.id}`);
  const [, , payload = ''] = marked.bytes.toString().split('\n');
  const [item] = items;
  // The console indents the text.
  const isItsOwn =
    eventId === marked.id &&
    items.length === 1 &&
    item?.bytes === Buffer.byteLength(payload) &&
    isDeepStrictEqual(JSON.parse(item.text ?? 'null'), JSON.parse(payload.replace(MARK, FLIPPED_MARK)));
  findings.add(isItsOwn, 'the dead letter has the bytes of the row');
}

/** Reads from the console's API. */
async function read<T>({ url }: ErrataProcess, path: string): Promise<T> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  return (await (await fetch(`${url}/console/api/${path}`, { headers })).json()) as T;
}

/** A damaged write-ahead log loses the commits after the damage; exactly this loss must be reported. */
async function damageLog(trial: Trial, what: string, harm: (path: string) => void): Promise<void> {
  const { findings } = trial;
  const rig = await holding(trial);
  await rig.errata.kill();
  const log = join(rig.errata.dataDir, LOG);
  if (!existsSync(log) || statSync(log).size === 0) {
    findings.add(false, `${what}: there is no log to damage`);
    return;
  }
  harm(log);
  await rig.errata.start();
  const reported = await spoolFaults(rig.errata, 'lost');
  await rig.upstream.up();
  await emptied(rig.errata);
  const { lost, changed } = compare(rig.oracle.read(), rig, 0);
  findings.add(
    lost.length > 0 && lost.length < HELD && reported === lost.length,
    `${what}: ${lost.length} of ${HELD} lost, ${reported} reported`,
  );
  findings.equal('changed', changed.length, 0);
  await judgeFresh(rig, findings);
  await rig.errata.kill();
}

async function truncateDatabase(trial: Trial): Promise<void> {
  const { findings } = trial;
  const rig = await holding(trial);
  await rig.errata.stop();
  const { dataDir } = rig.errata;
  const path = join(dataDir, DATABASE);
  // Cut within its second page: an empty file would be a new database.
  truncateSync(path, 6_000);
  const before = readFileSync(path);
  const failed = await rig.errata.tryStart();
  if (failed !== undefined) {
    findings.add(false, `truncated file: no start: ${failed.stderr.trim()}`);
    return;
  }
  await rig.upstream.up();
  const aside = readdirSync(dataDir).filter((name) => ASIDE.test(name));
  findings.equal('truncated file: files moved aside', aside.length, 1);
  const isSame = aside.every((name) => readFileSync(join(dataDir, name)).equals(before));
  findings.add(isSame, 'with the same bytes');
  findings.equal('its loss reported', await spoolFaults(rig.errata, 'lost'), HELD);
  await judgeFresh(rig, findings);
  await rig.errata.kill();
}

function flipBit(path: string, offset: number): void {
  if (offset < 0) throw new Error(`nothing to flip in ${path}`);
  const byte = readFileSync(path)[offset] ?? 0;
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.from([byte ^ 1]), 0, 1, offset);
  closeSync(file);
}
