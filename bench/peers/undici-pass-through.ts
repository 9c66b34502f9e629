import { createServer, type ServerResponse } from 'node:http';
import { Pool } from 'undici';

/**
 * The ceiling of forwarding on node:http: reads the body, sends it on over kept connections, answers with the
 * upstream's status. It looks at nothing, keeps nothing and tries once.
 */

const upstream = new URL(process.env['SENTRY_DSN'] ?? '');
const path = `/api${upstream.pathname}/envelope/`;
const headers = { 'content-type': 'application/x-sentry-envelope' };
/** 64 are more than a core can keep busy with an upstream that answers at once. */
const connections = Number(process.env['UPSTREAM_CONNECTIONS'] ?? '64');
const pool = new Pool(upstream.origin, { connections, pipelining: 1 });

async function forward(chunks: readonly Buffer[], response: ServerResponse): Promise<void> {
  const [first] = chunks;
  const body = chunks.length === 1 ? first : Buffer.concat(chunks);
  const answer = await pool.request({ method: 'POST', path, headers, body });
  await answer.body.dump();
  response.writeHead(answer.statusCode, { 'content-type': 'application/json' }).end('{}');
}

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.once('end', () => {
    forward(chunks, response).catch(() => response.writeHead(502).end());
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
