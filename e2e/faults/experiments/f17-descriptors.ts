import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Experiment } from '../experiment.ts';
import { judge } from '../parts/judge.ts';
import { Rig } from '../parts/rig.ts';
import { waitFor } from '../parts/waiting.ts';

const DESCRIPTORS = 128;
const CONNECTIONS = 400;
const SENDERS = 64;

export const descriptors: Experiment = {
  id: 'F17',
  fault: `${DESCRIPTORS} file descriptors`,
  target: 'accepts resume, 0 lost',
  run: async (trial) => {
    const { findings, scratch } = trial;
    const launcher = ['sh', '-c', `ulimit -n ${DESCRIPTORS} && exec "$0" "$@"`];
    const rig = await Rig.start(trial, { launcher });
    const port = Number(new URL(rig.errata.url).port);
    const before = rig.load({ senders: SENDERS });
    await waitFor(() => before.count(200) > SENDERS, 10_000);
    const idle = Array.from({ length: CONNECTIONS }, () => hold(port));
    scratch.later(() => release(idle));
    await delay(1_500);
    const isAlive = !rig.errata.hasEnded;
    await before.stop();
    release(idle);
    const after = rig.load({ senders: 8 });
    const resumes = await waitFor(() => after.count(200) > 50, 10_000);
    await after.stop();
    findings.add(isAlive, isAlive ? `alive with ${CONNECTIONS} more connections` : 'ended');
    findings.add(resumes, resumes ? 'accepts resume' : 'accepts do not resume');
    await judge(rig, findings, { atLeast: SENDERS });
  },
};

function hold(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  return socket;
}

function release(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}
