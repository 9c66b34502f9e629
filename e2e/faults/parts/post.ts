import { Agent, type IncomingHttpHeaders, request, type RequestOptions } from 'node:http';
import { WATCHDOG_MS } from './waiting.ts';

/** The result that a client sees: a response, or a connection that was cut. */
export type Answered =
  | { readonly status: number; readonly headers: IncomingHttpHeaders; readonly ms: number }
  | { readonly status: null; readonly cut: string; readonly ms: number };

/** `X-Sentry-Error` of a 503 for an envelope whose commit took more than two seconds, as on a busy machine. */
const COMMIT_TOO_LATE = 'the envelope could not be stored in time';

/** Creates an agent with persistent connections, one for each request in flight. */
export function keptConnections(): Agent {
  return new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 1_024 });
}

/** Posts an envelope to the tunnel. It does not reject: a cut connection is a result, too. */
export function post(url: string, body: Buffer, agent: Agent): Promise<Answered> {
  return send(`${url}/tunnel`, { method: 'POST', agent, headers: { 'content-length': body.length } }, body);
}

/** Requests a URL. It does not reject: a cut connection is a result, too. */
export function get(
  url: string,
  agent: Agent,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  return send(url, { agent, headers });
}

function send(url: string, options: RequestOptions, body?: Buffer): Promise<Answered> {
  const startedAtMs = performance.now();
  return new Promise((resolve) => {
    const cut = (error: NodeJS.ErrnoException): void =>
      resolve({ status: null, cut: error.code ?? error.message, ms: performance.now() - startedAtMs });
    const sending = request(url, { ...options, timeout: WATCHDOG_MS }, (answer) => {
      answer.resume();
      answer.once('error', cut);
      answer.once('close', () => cut(new Error('cut in mid-answer')));
      answer.once('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          ms: performance.now() - startedAtMs,
        }),
      );
    });
    sending.once('timeout', () => sending.destroy(new Error('no answer at all')));
    sending.once('error', cut);
    sending.end(body);
  });
}

/**
 * Posts an envelope, and again while its commit takes too long, as a client does: Errata recognises the repetition. Each
 * such answer is passed to `onLate`. An answer for any other reason is final.
 */
export async function postUntilCommitted(
  url: string,
  body: Buffer,
  agent: Agent,
  onLate: () => void = () => undefined,
): Promise<Answered> {
  const giveUpAtMs = performance.now() + WATCHDOG_MS;
  for (;;) {
    const answer = await post(url, body, agent);
    const isLate = answer.status === 503 && answer.headers['x-sentry-error'] === COMMIT_TOO_LATE;
    if (!isLate || performance.now() > giveUpAtMs) return answer;
    onLate();
  }
}
