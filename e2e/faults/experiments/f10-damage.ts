import { closeSync, openSync, readdirSync, readFileSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { DeadLetterDetail, DeadLetterList } from '../../../backend/src/contract/delivery-api.ts';
import { type ErrataProcess, TOKEN } from '../../fixtures/errata-process.ts';
import type { Experiment, Trial } from '../experiment.ts';
import type { Made } from '../parts/envelopes.ts';
import { compare, judgeFresh } from '../parts/judge.ts';
import { emptied, fate, spoolFaults } from '../parts/ledger.ts';
import { Rig } from '../parts/rig.ts';
import { mustCome } from '../parts/waiting.ts';

const HELD = 100;

/** Names of the spool's files; the experiments know no other internal names. */
const DATABASE = 'spool.db';
const LOG = 'spool.db-wal';
/** The database that was moved aside, without its log. */
const ASIDE = /^spool\.db\.unreadable-\d+$/;

const MARK = 'the row whose bit flips';
/** The mark after the flip of the lowest bit of its first byte. */
const FLIPPED_MARK = 'uhe row whose bit flips';

export const experiments: readonly Experiment[] = [
  { id: 'F10', fault: 'bit flips, truncated WAL, truncated file', isLeftOut: true, run: damageInAllWays },
];

/**
 * Each way damages the files of one process between two of its starts. Nothing is delivered before the log is damaged, so
 * that the log contains the envelopes that were sent since.
 */
async function damageInAllWays(trial: Trial): Promise<void> {
  const { findings } = trial;
  const rig = await Rig.start(trial);
  await rig.upstream.down();
  const marked = await flipInRow(trial, rig);
  const halfOf = (path: string): number => Math.floor(statSync(path).size / 2);
  const lost =
    (await damageLog(trial, rig, 'a bit flipped in the log', (path) => flipBit(path, halfOf(path)))) +
    (await damageLog(trial, rig, 'half of the log', (path) => truncateSync(path, halfOf(path))));
  await rig.upstream.up();
  await emptied(rig.errata);
  const all = compare(rig.obligations, rig, 0);
  findings.equal('the corrupt row was sent', Number(!all.lost.includes(marked.id)), 0);
  findings.equal('lost but for it', all.lost.length - 1, lost);
  findings.equal('changed', all.changed.length, 0);
  await judgeLetter(trial, rig, marked);
  await judgeFresh(rig, findings);
  await rig.errata.kill();
  await truncateDatabase(trial);
}

/** Sends envelopes that cannot be delivered. */
function hold(rig: Rig): Promise<void> {
  return rig.load({ senders: 4, total: HELD, kinds: ['transaction'] }).done();
}

/** Flips one bit of one payload, and returns its envelope. */
async function flipInRow({ findings }: Trial, rig: Rig): Promise<Made> {
  await hold(rig);
  const { made } = await rig.send('error', rig.dsn, { message: MARK });
  // A regular stop writes the log into the database.
  await rig.errata.stop();
  const path = join(rig.errata.dataDir, DATABASE);
  flipBit(path, readFileSync(path).indexOf(MARK));
  await rig.errata.start();
  await mustCome('a dead letter', async () => (await fate(rig.errata, 'dead_lettered')) > 0);
  findings.equal('flipped in a row: rows quarantined', await spoolFaults(rig.errata, 'corrupt'), 1);
  findings.equal('missing in the ledger', await fate(rig.errata, 'missing'), 0);
  return made;
}

/** Checks that the corrupt row is the only dead letter, and has its bytes as they are on the disk. */
async function judgeLetter({ findings }: Trial, { errata }: Rig, made: Made): Promise<void> {
  findings.equal('counted as dead letters', await fate(errata, 'dead_lettered'), 1);
  const { deadLetters } = await read<DeadLetterList>(errata, 'dead-letters');
  findings.equal('dead letters', deadLetters.length, 1);
  const letter = await read<DeadLetterDetail>(errata, `dead-letters/${deadLetters[0]?.id}`);
  findings.add(isFlipped(letter, made), 'the dead letter has the bytes of the row');
}

/** Whether a dead letter has the bytes of the corrupt row as they are on the disk. */
function isFlipped({ eventId, items }: DeadLetterDetail, { id, bytes }: Made): boolean {
  const [, , payload = ''] = bytes.toString().split('\n');
  const [item] = items;
  // The console indents the text.
  return (
    eventId === id &&
    items.length === 1 &&
    item?.bytes === Buffer.byteLength(payload) &&
    isDeepStrictEqual(JSON.parse(item.text ?? 'null'), JSON.parse(payload.replace(MARK, FLIPPED_MARK)))
  );
}

/** Reads from the console's API. */
async function read<T>({ url }: ErrataProcess, path: string): Promise<T> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  return (await (await fetch(`${url}/console/api/${path}`, { headers })).json()) as T;
}

/** Damages the write-ahead log, which loses the commits after the damage, and returns the loss that is reported. */
async function damageLog(
  { findings }: Trial,
  rig: Rig,
  what: string,
  harm: (path: string) => void,
): Promise<number> {
  await hold(rig);
  await rig.errata.kill();
  harm(join(rig.errata.dataDir, LOG));
  await rig.errata.start();
  const reported = await spoolFaults(rig.errata, 'lost');
  findings.add(reported > 0 && reported < HELD, `${what}: ${reported} of ${HELD} reported as lost`);
  return reported;
}

/** Cuts the database within its second page: an empty file would be a new database. */
async function truncateDatabase(trial: Trial): Promise<void> {
  const { findings } = trial;
  const rig = await Rig.start(trial);
  await rig.upstream.down();
  await hold(rig);
  await rig.errata.stop();
  const { dataDir } = rig.errata;
  const path = join(dataDir, DATABASE);
  truncateSync(path, 6_000);
  const before = readFileSync(path);
  await rig.errata.start();
  await rig.upstream.up();
  const aside = readdirSync(dataDir).filter((name) => ASIDE.test(name));
  findings.equal('truncated file: files moved aside', aside.length, 1);
  const isSame = aside.every((name) => readFileSync(join(dataDir, name)).equals(before));
  findings.add(isSame, 'with the same bytes');
  findings.equal('its loss reported', await spoolFaults(rig.errata, 'lost'), HELD);
  await judgeFresh(rig, findings);
}

function flipBit(path: string, offset: number): void {
  if (offset < 0) throw new Error(`nothing to flip in ${path}`);
  const byte = readFileSync(path)[offset] ?? 0;
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.from([byte ^ 1]), 0, 1, offset);
  closeSync(file);
}
