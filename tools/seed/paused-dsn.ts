import { createServer } from 'node:http';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type Item, post } from '../running.ts';
import type { Random } from './random.ts';

/** Number of consecutive rejections that pause a DSN (relay/circuit-breaker.ts), with pauses of a few seconds. */
const REFUSALS = 5;
const MAX_WAIT_MS = 15_000;

const HOW = `no paused DSN: start Errata with a DSN that this command can reject, and name it in PAUSED_DSN, for example
    ERRATA_TUNNEL_DSNS=http://5eed@127.0.0.1:9999/7 make start
    PAUSED_DSN=http://5eed@127.0.0.1:9999/7 make seed`;

/**
 * Makes Errata pause a DSN: this function plays an upstream that rejects it repeatedly, on the port of the DSN, which must
 * be a free port of this machine.
 */
export async function pausedDsn(random: Random): Promise<string> {
  const dsn = process.env['PAUSED_DSN'];
  if (dsn === undefined || dsn === '') return HOW;
  const { hostname, port } = new URL(dsn);
  let refused = 0;
  let end: () => void = () => undefined;
  const isEnough = new Promise<void>((resolve) => (end = resolve));
  const upstream = createServer((request, response) => {
    request.resume();
    refused += 1;
    response.writeHead(403).end('{"detail":"unknown project"}', () => refused === REFUSALS && end());
  }).listen(Number(port), hostname);
  await once(upstream, 'listening');
  const statuses: number[] = [];
  for (let sent = 0; sent <= REFUSALS; sent += 1) {
    const eventId = random.hex(32);
    const event = { event_id: eventId, platform: 'node', message: `waits for its upstream, ${sent}` };
    const items: readonly Item[] = [{ type: 'event', payload: event }];
    statuses.push(await post({ dsn, event_id: eventId }, items));
  }
  if (statuses.some((status) => status !== 200)) {
    upstream.close();
    return `no paused DSN: ${dsn} is not a DSN of the running Errata (ERRATA_TUNNEL_DSNS)`;
  }
  await Promise.race([isEnough, pause(MAX_WAIT_MS, undefined, { ref: false })]);
  upstream.closeAllConnections();
  upstream.close();
  return refused < REFUSALS ? `the DSN was rejected ${refused} times so far` : `paused DSN: ${dsn}`;
}
