import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Config } from '../config/config.ts';
import { DIGEST_HEADER, REFERENCE_HEADER } from '../contract/problem.ts';
import type { ErrorPages } from '../errors/error-pages.ts';
import type { FailureRecorder } from '../errors/failure-recorder.ts';
import { errorBody } from '../tunnel/response.ts';
import type { TunnelController } from '../tunnel/tunnel.controller.ts';
import type { Clients } from '../net/client-address.ts';
import { enterBasePath } from './base-path.ts';
import { headerFault, rejectHeaders, rejectUnparsed } from './client-error.ts';
import { shareConnections } from './connection-shares.ts';
import { oneAtATime } from './pipelined-requests.ts';

/** Interval of the checks for slow headers and bodies; Node's 30 s would let them live three times their limit. */
const CONNECTION_CHECK_MS = 1_000;

/** Limits of the HTTP server that are no settings. */
export interface HttpServerLimits {
  readonly bodyTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly headersMaxBytes: number;
  readonly parserMaxBytes: number;
  readonly maxConnections: number;
}

const HTTP_SERVER_LIMITS: HttpServerLimits = {
  /** For bodies of any size; the tunnel cuts those that are too slow (body-pace.ts). */
  bodyTimeoutMs: 600_000,
  /** Above the 60 s of common load balancers: a shorter timeout closes connections that they are about to use again. */
  keepAliveTimeoutMs: 61_000,
  /** Node's own default: cookies of 8 KiB and a long Referer fit. */
  headersMaxBytes: 16 * 1024,
  /**
   * Above this Node's parser fails and drops the bytes that it has read. Cookies grow slowly, so headers that become too large
   * lie between the two limits: the server can still read them and respond in the form that the client wants.
   */
  parserMaxBytes: 32 * 1024,
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
    maxHeaderSize: limits.parserMaxBytes,
    insecureHTTPParser: false,
    requireHostHeader: true,
  };
}

export interface HttpServerParts {
  readonly tunnel: TunnelController;
  readonly recorder: FailureRecorder;
  readonly pages: ErrorPages;
  readonly clients: Clients;
}

/** Creates an HTTP server with timeouts and limits. @param changes of the limits, for tests. */
export function limitedServer(
  config: Config,
  { pages, clients }: Pick<HttpServerParts, 'pages' | 'clients'>,
  serve: RequestListener,
  changes: Partial<HttpServerLimits> = {},
): Server {
  const limits = { ...HTTP_SERVER_LIMITS, ...changes };
  const serveFitting: RequestListener = (request, response) => {
    const fault = headerFault(request, limits.headersMaxBytes);
    if (fault === null) serve(request, response);
    else rejectHeaders(fault, request, response, pages);
  };
  const server = createServer(serverOptions(config, limits), oneAtATime(serveFitting));
  server.maxConnections = limits.maxConnections;
  shareConnections(server, limits.maxConnections, clients);
  server.on('clientError', (error, socket) => rejectUnparsed(error, socket, pages));
  return server;
}

/**
 * Creates the application's HTTP server. `application` is Express: no request to the tunnel may reach it.
 *
 * Requests on the tunnel's paths go straight to its controller: for each envelope Express and Nest's router cost as much
 * as validating and packing it, a fifth of the throughput (docs/decisions/004).
 */
export function newHttpServer(
  config: Config,
  parts: HttpServerParts,
  application: RequestListener,
  changes?: Partial<HttpServerLimits>,
): Server {
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    // A request outside of the base path continues to a 404 (onlyBelow).
    const isInside = enterBasePath(request, config.basePath);
    const next = (): void => application(request, response);
    const served = isInside ? parts.tunnel.serve(request, response, next) : next();
    served?.catch((thrown: unknown) => fail(thrown, request, response, parts.recorder));
  };
  return limitedServer(config, parts, serve, changes);
}

/** Records an exception of the tunnel like one of any other request, so that it does not end the process. */
async function fail(
  thrown: unknown,
  { method = '', url = '' }: IncomingMessage,
  response: ServerResponse,
  recorder: FailureRecorder,
): Promise<void> {
  const [path = ''] = url.split('?', 1);
  const { digest, reference, kept } = recorder.record(thrown, {
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
  await kept;
  if (response.headersSent) return;
  response.writeHead(500, {
    'Content-Type': 'application/json',
    [DIGEST_HEADER]: digest,
    [REFERENCE_HEADER]: reference,
  });
  response.end(errorBody('internal error'));
}
