import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { hashOf, itemsOf } from '../../fixtures/fake-upstream.ts';
import { type Answer, take } from './answers.ts';
import { idOf, MARK } from './envelopes.ts';

/** One request, in the order of arrival. */
export interface Seen {
  readonly project: string;
  /** Null for an envelope that the test did not send, such as a client report of Errata. */
  readonly id: string | null;
  readonly itemsHash: string;
  readonly types: readonly string[];
  /** Whether it contains {@link MARK}. */
  readonly isMarked: boolean;
  readonly sentAt: string | null;
  readonly atMs: number;
  readonly wasTaken: boolean;
}

/** Facts about a request before its body. */
interface Head {
  readonly project: string;
  /** Number of earlier requests of this project. */
  readonly before: number;
}

/** Chooses an answer by the head of a request, or by the envelope once it was read. */
type Script = (head: Head) => Answer | ((envelope: Omit<Seen, 'wasTaken'>) => Answer);

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const KEY = '0123456789abcdef0123456789abcdef';

/** A Sentry-compatible service that follows the experiment's script and records all requests. */
export class ScriptedUpstream {
  readonly seen: Seen[];
  /** Chooses the answer to each request. */
  script: Script = () => take();
  underWay = 0;
  /** Durations of the requests that have ended, in order. */
  readonly tookMs: number[] = [];
  /** Number of accepted envelopes whose answer was lost. */
  lostAnswers = 0;
  readonly #counts = new Map<string, number>();
  readonly #server: Server | TlsServer;
  #port = 0;
  readonly #scheme: 'http' | 'https';

  /** @param seen another upstream's list, for two that are judged together. */
  constructor(certificate?: Certificate, seen: Seen[] = []) {
    this.seen = seen;
    const answer = (request: IncomingMessage, response: ServerResponse): void =>
      void this.#answer(request, response);
    this.#scheme = certificate === undefined ? 'http' : 'https';
    this.#server =
      certificate === undefined ? createServer(answer) : createTlsServer({ ...certificate }, answer);
    this.#server.keepAliveTimeout = 120_000;
  }

  get port(): number {
    return this.#port;
  }

  /** Returns a DSN of this upstream. @param port of a proxy in front, if there is one. */
  dsn(project = 1, host = '127.0.0.1', port = this.#port): string {
    return `${this.#scheme}://${KEY}@${host}:${port}/${project}`;
  }

  async up(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Stops listening and cuts all connections; the port stays reserved. */
  async down(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** Sets the certificate for new connections. */
  renew(certificate: Certificate): void {
    if ('setSecureContext' in this.#server) this.#server.setSecureContext({ ...certificate });
  }

  /** Returns the number of times that each ID was accepted. */
  takenTimes(): ReadonlyMap<string, number> {
    const times = new Map<string, number>();
    for (const { id, wasTaken } of this.seen) {
      if (id !== null && wasTaken) times.set(id, (times.get(id) ?? 0) + 1);
    }
    return times;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const atMs = performance.now();
    // A request that ends early has no duration.
    const { socket } = request;
    const project = /^\/api\/([^/]+)\/envelope\/$/.exec(request.url ?? '')?.[1] ?? '';
    const before = this.#counts.get(project) ?? 0;
    this.#counts.set(project, before + 1);
    this.underWay += 1;
    response.once('close', () => {
      this.underWay -= 1;
      this.tookMs.push(performance.now() - atMs);
    });
    const choice = this.script({ project, before });
    const body = await read(request, typeof choice === 'function' ? null : choice.cutAfterBytes);
    if (body === 'ended') return;
    if (body === 'cut') {
      socket.resetAndDestroy();
      return;
    }
    const envelope = see(body, project, atMs);
    const answer = typeof choice === 'function' ? choice(envelope) : choice;
    this.seen.push({ ...envelope, wasTaken: answer.takes });
    if (answer.ending === 'hang') return;
    if (answer.ending === 'cut') {
      if (answer.takes) this.lostAnswers += 1;
      socket.resetAndDestroy();
      return;
    }
    await answer.until;
    response.writeHead(answer.status, { ...answer.headers }).end(answer.body);
  }
}

/** Reads and decodes the body. Returns `cut` at the number of bytes to cut at, `ended` when the client disconnects. */
async function read(
  request: IncomingMessage,
  cutAfterBytes: number | null,
): Promise<Buffer | 'cut' | 'ended'> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (cutAfterBytes !== null && length >= cutAfterBytes) return 'cut';
    }
  } catch {
    return 'ended';
  }
  const raw = Buffer.concat(chunks);
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
}

function see(body: Buffer, project: string, atMs: number): Omit<Seen, 'wasTaken'> {
  const line = body.subarray(0, Math.max(0, body.indexOf('\n')));
  const header = JSON.parse(line.toString()) as Record<string, unknown>;
  const items = itemsOf(body);
  const types = [...items.toString('latin1').matchAll(/^\{"type":"([a-z_]+)"/gm)].map(
    ([, type = '']) => type,
  );
  const sentAt = typeof header['sent_at'] === 'string' ? header['sent_at'] : null;
  const isMarked = items.includes(MARK);
  return { project, id: idOf(header, items), itemsHash: hashOf(items), types, isMarked, sentAt, atMs };
}
