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

/** No leniency of the parser: what one parser passes over, the next one takes for another request (smuggling). */
function serverOptions(config: Config): ServerOptions {
  return {
    connectionsCheckingInterval: CONNECTION_CHECK_MS,
    headersTimeout: config.headersTimeoutMs,
    requestTimeout: config.headersTimeoutMs + config.bodyTimeoutMs,
    keepAliveTimeout: config.keepAliveTimeoutMs,
    maxHeaderSize: config.headersMaxBytes,
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
  readonly #sockets = new Set<Socket>();

  constructor(config: Config, tunnel: Tunnel, failures: FailureRecorder) {
    super();
    this.#config = config;
    this.#tunnel = tunnel;
    this.#failures = failures;
  }

  override initHttpServer(): void {
    const application: (request: IncomingMessage, response: ServerResponse) => void = this.getInstance();
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      const served = this.#tunnel.serve(request, response);
      if (served === undefined) application(request, response);
      else served.catch((thrown: unknown) => this.#fail(thrown, request, response));
    };
    const server = createServer(serverOptions(this.#config), serve);
    server.maxConnections = this.#config.maxConnections;
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
