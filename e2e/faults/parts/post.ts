import { Agent, type IncomingHttpHeaders, request } from 'node:http';

/** The result that a client sees: a response, or a connection that was cut. */
export type Answered =
  | { readonly status: number; readonly headers: IncomingHttpHeaders; readonly ms: number }
  | { readonly status: null; readonly cut: string; readonly ms: number };

/** Time limit of a client for a response; Errata answers within 2 s of the last byte. */
const TIMEOUT_MS = 30_000;

/** Creates an agent with persistent connections, one for each request in flight. */
export function keptConnections(): Agent {
  return new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 1_024 });
}

/** Posts an envelope to the tunnel. It does not reject: a cut connection is a result, too. */
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
