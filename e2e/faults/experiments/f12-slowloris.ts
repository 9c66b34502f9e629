import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Experiment } from '../experiment.ts';
import { judge } from '../parts/judge.ts';
import { Rig } from '../parts/rig.ts';
import { since, waitFor } from '../parts/waiting.ts';

const CONNECTIONS = 1_000;
const DRIP_EVERY_MS = 1_000;
/** Time allowed after the limit of the head, which is checked each second. */
const SLACK_S = 3;

export const slowloris: Experiment = {
  id: 'F12',
  fault: 'slowloris, 1,000 connections',
  target:
    'all cut within 13 s (limit of the head 10 s; 3 s and 6 s in the short form); other requests p50 < 10 ms',
  run: async (trial) => {
    const { findings } = trial;
    const limitS = trial.form === 'long' ? 10 : 3;
    const rig = await Rig.start(trial, { environment: { ERRATA_HEADERS_TIMEOUT: `${limitS}s` } });
    const port = Number(new URL(rig.errata.url).port);
    const open = new Set<Socket>();
    for (let count = 0; count < CONNECTIONS; count += 1) open.add(drip(port, open));
    trial.scratch.later(() => {
      for (const socket of open) socket.destroy();
    });
    await Promise.all([...open].map((socket) => once(socket, 'connect')));
    const startedAtMs = performance.now();
    const load = rig.load({ senders: 1, perSecond: 50, kinds: ['error'] });
    const areCut = await waitFor(() => open.size === 0, 30_000);
    const cutAfterS = since(startedAtMs) / 1_000;
    await load.stop();

    findings.add(areCut, `${CONNECTIONS - open.size} of ${CONNECTIONS} cut`);
    findings.atMost('the last after', cutAfterS, limitS + SLACK_S, ' s');
    const sorted = load.answers.map(({ ms }) => ms).sort((one, other) => one - other);
    findings.atMost('p50 of other requests', sorted[Math.floor(sorted.length / 2)] ?? Number.NaN, 10, ' ms');
    findings.equal('other requests rejected or cut', load.answers.length - load.count(200), 0);
    await judge(rig, findings, { duplicates: 0, atLeast: 50 });
  },
};

/** Opens a connection that sends one byte of a header each second and never ends it. */
function drip(port: number, open: Set<Socket>): Socket {
  const socket = connect(port, '127.0.0.1');
  const timer = setInterval(() => socket.write('a'), DRIP_EVERY_MS);
  socket.write('POST /tunnel HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Drip: ');
  socket.resume();
  socket.on('error', () => undefined);
  socket.once('close', () => {
    clearInterval(timer);
    open.delete(socket);
  });
  return socket;
}
