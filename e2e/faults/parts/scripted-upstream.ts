import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { hashOf, itemsOf } from '../../fixtures/fake-upstream.ts';
import { type Answer, take } from './answers.ts';
import { idOf } from './envelopes.ts';

/** One request as it came; everything of it in the order of arrival. */
export interface Seen {
  readonly project: string;
  /** Null for an envelope that is not of the bench, such as a client report of Errata's own. */
  readonly id: string | null;
  readonly itemsHash: string;
  readonly types: readonly string[];
  readonly sentAt: string | null;
  readonly atMs: number;
  readonly wasTaken: boolean;
}

/** What is known of a request before its body: enough to choose the answer. */
export interface Head {
  readonly project: string;
  /** Requests of this project before it. */
  readonly before: number;
}

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const KEY = '0123456789abcdef0123456789abcdef';

/** A Sentry-compatible service that does what the experiment's script says, and notes all that comes. */
export class ScriptedUpstream {
  readonly seen: Seen[] = [];
  /** Chooses the answer to each request. */
  script: (head: Head) => Answer = () => take();
  underWay = 0;
  mostUnderWay = 0;
  /** How long each request that has ended was under way, in their order. */
  readonly tookMs: number[] = [];
  /** Envelopes taken whose answer was lost. */
  lostAnswers = 0;
  readonly #counts = new Map<string, number>();
  readonly #server: Server | TlsServer;
  #port = 0;
  readonly #scheme: 'http' | 'https';

  constructor(certificate?: Certificate) {
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

  get isDown(): boolean {
    return !this.#server.listening;
  }

  /** @param port of a proxy in front, if there is one. */
  dsn(project = 1, host = '127.0.0.1', port = this.#port): string {
    return `${this.#scheme}://${KEY}@${host}:${port}/${project}`;
  }

  async up(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Stops listening and cuts all connections; the port stays the same. */
  async down(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** A new certificate, for connections to come. */
  renew(certificate: Certificate): void {
    if ('setSecureContext' in this.#server) this.#server.setSecureContext({ ...certificate });
  }

  /** How often each id was taken. */
  takenTimes(): ReadonlyMap<string, number> {
    const times = new Map<string, number>();
    for (const { id, wasTaken } of this.seen) {
      if (id !== null && wasTaken) times.set(id, (times.get(id) ?? 0) + 1);
    }
    return times;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const atMs = performance.now();
    // A request whose reading ends early has none any more.
    const { socket } = request;
    const project = /^\/api\/([^/]+)\/envelope\/$/.exec(request.url ?? '')?.[1] ?? '';
    const before = this.#counts.get(project) ?? 0;
    this.#counts.set(project, before + 1);
    this.underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    response.once('close', () => {
      this.underWay -= 1;
      this.tookMs.push(performance.now() - atMs);
    });
    const answer = this.script({ project, before });
    const body = await read(request, answer.cutAfterBytes);
    if (body === 'ended') return;
    if (body === 'cut') {
      socket.resetAndDestroy();
      return;
    }
    this.seen.push(see(body, project, atMs, answer.takes));
    if (answer.ending === 'hang') return;
    if (answer.ending === 'cut') {
      if (answer.takes) this.lostAnswers += 1;
      socket.resetAndDestroy();
      return;
    }
    const send = (): void => void response.writeHead(answer.status, { ...answer.headers }).end('{}');
    if (answer.afterMs === 0) send();
    else setTimeout(send, answer.afterMs);
  }
}

/** The body, decoded; `cut` when enough of it came to cut it, `ended` when the sender went away. */
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

function see(body: Buffer, project: string, atMs: number, wasTaken: boolean): Seen {
  const line = body.subarray(0, Math.max(0, body.indexOf('\n')));
  const header = JSON.parse(line.toString()) as Record<string, unknown>;
  const items = itemsOf(body);
  const types = [...items.toString('latin1').matchAll(/^\{"type":"([a-z_]+)"/gm)].map(
    ([, type = '']) => type,
  );
  const sentAt = typeof header['sent_at'] === 'string' ? header['sent_at'] : null;
  return { project, id: idOf(header, items), itemsHash: hashOf(items), types, sentAt, atMs, wasTaken };
}
