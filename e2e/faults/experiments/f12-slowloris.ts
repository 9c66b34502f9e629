import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Experiment, Trial } from '../experiment.ts';
import { judge } from '../parts/judge.ts';
import { percentile } from '../parts/percentile.ts';
import { Rig } from '../parts/rig.ts';
import { mustCome, since } from '../parts/waiting.ts';

const CONNECTIONS = 1_000;
/** The limit of the head (ERRATA_HEADERS_TIMEOUT). */
const LIMIT_S = { short: 3, long: 10 } as const;
const DRIP_EVERY_MS = 1_000;
const SLOW_HEAD = 'POST /tunnel HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Drip: ';
/** A body at twice its least rate, for longer than the limit of the head. */
const SLOW_BODY = 'POST /tunnel HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1048576\r\n\r\n';
const BODY_PIECE = 'a'.repeat(16 * 1024);
/** Time allowed after the limit of the head, which is checked each second. */
const SLACK_S = 3;
const P50_LIMIT_MS = 10;
const MEDIAN = 50;

export const experiments: readonly Experiment[] = [
  { id: 'F12', fault: 'slowloris, 1,000 connections', isLeftOut: true, run: openSlowly },
];

async function openSlowly(trial: Trial): Promise<void> {
  const { findings, scale, scratch } = trial;
  const limitS = LIMIT_S[scale === 'long' ? 'long' : 'short'];
  const rig = await Rig.start(trial, { environment: { ERRATA_HEADERS_TIMEOUT: `${limitS}s` } });
  const open = new Set<Socket>();
  scratch.later(() => {
    for (const socket of open) socket.destroy();
  });
  await findings.timed(
    P50_LIMIT_MS,
    async (times) => {
      for (let count = 0; count < CONNECTIONS; count += 1) {
        const socket = drip(rig, SLOW_HEAD, 'a');
        open.add(socket);
        socket.once('close', () => open.delete(socket));
      }
      // Opened last: its own limit begins when those of the heads are already running.
      const slowBody = drip(rig, SLOW_BODY, BODY_PIECE);
      const sockets = [slowBody, ...open];
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      const startedAtMs = performance.now();
      const load = rig.load({ senders: 1, perSecond: 50, kinds: ['error'] });
      await mustCome('the last cut', () => open.size === 0);
      // The limit of the whole request is ten times as long: it must not be the one that has cut them.
      findings.equal('slow bodies cut with them', Number(slowBody.destroyed), 0);
      slowBody.destroy();
      times.atMost('the last cut after', since(startedAtMs) / 1_000, limitS + SLACK_S, ' s');
      await load.stop();
      times.atMost('p50 of other requests', percentile(load.answers, MEDIAN), P50_LIMIT_MS, ' ms');
      findings.equal(`${CONNECTIONS} cut; other requests rejected or cut`, load.countOthers(200), 0);
      findings.atLeast('accepted', load.count(200), 1);
    },
    MEDIAN,
  );
  await judge(rig, findings, { duplicates: 0 });
}

/** Opens a connection that sends one further piece each second and does not end its request. */
function drip(rig: Rig, start: string, piece: string): Socket {
  const socket = connect(Number(new URL(rig.errata.url).port), '127.0.0.1');
  const timer = setInterval(() => socket.write(piece), DRIP_EVERY_MS);
  socket.write(start);
  socket.resume();
  socket.on('error', () => undefined);
  socket.once('close', () => clearInterval(timer));
  return socket;
}
