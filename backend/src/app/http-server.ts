import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Config } from '../config/config.ts';
import { DIGEST_HEADER } from '../contract/problem.ts';
import type { FailureRecorder } from '../errors/failure-recorder.ts';
import { refuseUnread } from './refuse-unread.ts';
import type { Tunnel } from '../tunnel/tunnel.ts';

/** Slow heads and bodies are looked for this often; Node's 30 s would let them live three times their limit. */
const CONNECTION_CHECK_MS = 1_000;

/** While draining, connections whose last request has ended are looked for this often. */
const IDLE_SWEEP_MS = 50;

/** Limits of the HTTP server that are no settings. */
export interface HttpServerLimits {
  readonly bodyTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly headersMaxBytes: number;
  readonly maxConnections: number;
}

const HTTP_SERVER_LIMITS: HttpServerLimits = {
  /** A slower body holds its reserved memory for too long. */
  bodyTimeoutMs: 30_000,
  /** Above the 60 s of common load balancers: a shorter timeout closes connections that they are about to use again. */
  keepAliveTimeoutMs: 61_000,
  /** Node's own default: cookies of 8 KiB and a long Referer fit. */
  headersMaxBytes: 16 * 1024,
  /** Each connection needs a file descriptor and a few KiB; further connections are closed at once. */
  maxConnections: 10_000,
};

/** Disables every leniency of the parser: an error that one parser ignores is a second request to another (smuggling). */
function serverOptions(config: Config, limits: HttpServerLimits): ServerOptions {
  return {
    connectionsCheckingInterval: CONNECTION_CHECK_MS,
    headersTimeout: config.headersTimeoutMs,
    requestTimeout: config.headersTimeoutMs + limits.bodyTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    maxHeaderSize: limits.headersMaxBytes,
    insecureHTTPParser: false,
    requireHostHeader: true,
  };
}

/**
 * Node's HTTP server with the timeouts of the settings, under Express.
 *
 * What comes to the tunnel's paths goes straight to it: Express and Nest's router cost as much for each envelope as
 * judging and packing it, and a fifth of the throughput (docs/decisions/004). In another Nest application it goes by
 * the tunnel's middleware, to the same {@link Tunnel}.
 */
export class HttpServerAdapter extends ExpressAdapter {
  readonly #config: Config;
  readonly #tunnel: Tunnel;
  readonly #failures: FailureRecorder;
  readonly #limits: HttpServerLimits;
  readonly #sockets = new Set<Socket>();

  /** @param changes of the limits, for tests. */
  constructor(
    config: Config,
    tunnel: Tunnel,
    failures: FailureRecorder,
    changes: Partial<HttpServerLimits> = {},
  ) {
    super();
    this.#config = config;
    this.#tunnel = tunnel;
    this.#failures = failures;
    this.#limits = { ...HTTP_SERVER_LIMITS, ...changes };
  }

  override initHttpServer(): void {
    const application: (request: IncomingMessage, response: ServerResponse) => void = this.getInstance();
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      const served = this.#tunnel.serve(request, response);
      if (served === undefined) application(request, response);
      else served.catch((thrown: unknown) => this.#fail(thrown, request, response));
    };
    const server = createServer(serverOptions(this.#config, this.#limits), serve);
    server.maxConnections = this.#limits.maxConnections;
    server.on('clientError', refuseUnread);
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.setHttpServer(server);
  }

  /** Accepts no more, lets requests under way end, and cuts what is left after `drainTimeoutMs`. */
  async drain(): Promise<void> {
    const server: Server = this.getHttpServer();
    const isClosed = once(server, 'close');
    server.close();
    this.#closeIdle(server);
    const sweep = setInterval(() => this.#closeIdle(server), IDLE_SWEEP_MS);
    const late = setTimeout(() => server.closeAllConnections(), this.#config.drainTimeoutMs);
    await isClosed;
    clearInterval(sweep);
    clearTimeout(late);
  }

  /** A bug of the tunnel is a failure like any other request's; what it met must not end the process. */
  #fail(thrown: unknown, { method = '', url = '' }: IncomingMessage, response: ServerResponse): void {
    const [path = ''] = url.split('?', 1);
    const { digest } = this.#failures.record(thrown, {
      method,
      path,
      route: path,
      status: 500,
      requestId: null,
    });
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.writeHead(500, { 'Content-Type': 'application/json', [DIGEST_HEADER]: digest });
    response.end(JSON.stringify({ detail: 'internal error', causes: [] }));
  }

  /**
   * Cuts the connections that carry no request. Node's own `closeIdleConnections` leaves those that never carried one,
   * as browsers open in advance; each would hold the process until the end of its drain.
   */
  #closeIdle(server: Server): void {
    server.closeIdleConnections();
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}
