import { Agent, type IncomingHttpHeaders, request } from 'node:http';

/** What a sender saw: an answer, or a connection that was cut. */
export type Answered =
  | { readonly status: number; readonly headers: IncomingHttpHeaders; readonly ms: number }
  | { readonly status: null; readonly cut: string; readonly ms: number };

/** A sender waits this long for an answer; Errata promises one within 2 s of the last byte. */
const TIMEOUT_MS = 30_000;

/** Connections that are kept, one for each sender that is under way. */
export function keptConnections(): Agent {
  return new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 1_024 });
}

/** Posts an envelope to the tunnel. Never rejects: a cut connection is an answer too, and no acknowledgement. */
export function post(url: string, body: Buffer, agent: Agent): Promise<Answered> {
  const startedAtMs = performance.now();
  return new Promise((resolve) => {
    const cut = (error: NodeJS.ErrnoException): void =>
      resolve({ status: null, cut: error.code ?? error.message, ms: performance.now() - startedAtMs });
    const sending = request(
      `${url}/tunnel`,
      { method: 'POST', agent, headers: { 'content-length': body.length }, timeout: TIMEOUT_MS },
      (answer) => {
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
      },
    );
    sending.once('timeout', () => sending.destroy(new Error('no answer in 30 s')));
    sending.once('error', cut);
    sending.end(body);
  });
}
