import { connect, type Socket } from 'node:net';
import type { Experiment, Trial } from '../experiment.ts';
import { judge } from '../parts/judge.ts';
import { Rig } from '../parts/rig.ts';
import { mustCome } from '../parts/waiting.ts';

const DESCRIPTORS = 128;
const CONNECTIONS = 400;
const SENDERS = 64;
/** Envelopes that are accepted afterwards. */
const AFTER = 50;

export const experiments: readonly Experiment[] = [
  { id: 'F17', fault: `${DESCRIPTORS} file descriptors`, run: exhaust },
];

async function exhaust(trial: Trial): Promise<void> {
  const { findings, scratch } = trial;
  const launcher = ['sh', '-c', `ulimit -n ${DESCRIPTORS} && exec "$0" "$@"`];
  // Of 128 descriptors the process itself has 41. With the default a delivery of the backlog can take all others.
  const environment = { ERRATA_UPSTREAM_CONNECTIONS: '16' };
  const rig = await Rig.start(trial, { launcher, environment });
  const port = Number(new URL(rig.errata.url).port);
  const before = rig.load({ senders: SENDERS });
  await before.untilCount(200, SENDERS + 1);
  const idle = Array.from({ length: CONNECTIONS }, () => hold(port));
  scratch.later(() => release(idle));
  await mustCome('a connection that Errata cannot accept', () => idle.some(({ destroyed }) => destroyed));
  const isAlive = !rig.errata.hasEnded;
  await before.stop();
  release(idle);
  const after = rig.load({ senders: 8 });
  await after.untilCount(200, AFTER);
  await after.stop();
  findings.add(isAlive, isAlive ? `alive with ${CONNECTIONS} more connections` : 'ended');
  findings.add(true, 'accepts resume');
  await judge(rig, findings, { atLeast: SENDERS });
}

function hold(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  return socket;
}

function release(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}
