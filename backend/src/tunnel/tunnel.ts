/*
 * tunnel/ accepts envelopes over HTTP: CORS, allow-list, rate and memory limits, reading, responses.
 *
 * It must never answer 200 to an accepted envelope before the spool has committed it, never parse a payload of an
 * item, and never forward to a host that an envelope names.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EventCount } from '../envelope/envelope-class.ts';
import { READS } from '../net/answer-options.ts';
import {
  type Client,
  type ClientIp,
  type Clients,
  customerNetwork,
  keptAddress,
} from '../net/client-address.ts';
import { knownHost } from '../net/own-origin.ts';
import type { RecentRejections } from '../outcome/recent-rejections.ts';
import type { RejectedDsns } from '../outcome/rejected-dsns.ts';
import { type CountBy, countBy, type Metrics } from '../telemetry/metrics.ts';
import type { AllowedProject } from './allow-list.ts';
import type { BodyMemory, Reservation } from './body-memory.ts';
import type { BufferCollector } from './buffer-collector.ts';
import type { Upload } from './converted-body.ts';
import type { CorsPolicy } from './cors.ts';
import { acceptFeedback, dialogRejection } from './feedback-endpoint.ts';
import { type Intake, rateLimited, type RequestMeta } from './intake.ts';
import type { IpRateLimit, RateDecision } from './ip-rate-limit.ts';
import { type BodyLimits, readBody } from './read-body.ts';
import type { RefusalPause } from './refusal-pause.ts';
import { sendReportDialog } from './report-dialog.ts';
import { acceptReports, reportsTypeOf } from './reports-endpoint.ts';
import { authParametersOf, credentialsOf, senderOf } from './request-meta.ts';
import {
  type Rejection,
  sendOptions,
  sendTunnelResponse,
  TUNNEL_OUTCOMES,
  type TunnelOutcome,
  type TunnelResponse,
} from './response.ts';
import type { SpoolShare } from './spool-share.ts';
import { acceptStoreBody } from './store-endpoint.ts';
import type { Route, TunnelPaths } from './tunnel-paths.ts';

export interface TunnelOptions extends BodyLimits {
  /** Maximum size of a batch of browser reports, and of what a person wrote. */
  readonly reportMaxBytes: number;
  readonly clientIp: ClientIp;
  readonly clients: Clients;
  /** Whether the tunnel is part of another application, which may have some of its paths itself. */
  readonly isHosted: boolean;
}

/** Counters of the tunnel's responses. */
export interface TunnelCounts {
  readonly metrics: Metrics;
  readonly rejections: RecentRejections;
  readonly rejectedDsns: RejectedDsns;
}

/** Checks and limits before the intake. */
export interface TunnelGuards {
  readonly paths: TunnelPaths;
  readonly cors: CorsPolicy;
  readonly ipRateLimit: IpRateLimit;
  readonly spoolShare: SpoolShare;
  readonly memory: BodyMemory;
  readonly collector: BufferCollector;
  readonly refusalPause: RefusalPause;
  /** Returns the text of `X-Sentry-Rate-Limits` or null; the project is null until a DSN was allowed. */
  readonly pressure: (project: AllowedProject | null) => string | null;
}

const CROSS_SITE: Rejection = {
  outcome: 'cross_site',
  detail: 'cross-site requests are not accepted',
};
const SHARE_USED_UP: Rejection = {
  outcome: 'rate_limited',
  detail: 'this network has filled its share of the queue',
};

/** Responses that carry back-pressure: every 200, 429 and 503. */
const WITH_PRESSURE: ReadonlySet<TunnelOutcome> = new Set<TunnelOutcome>([
  'accepted',
  'duplicate',
  'empty',
  'no_upstream',
  'rate_limited',
  'unavailable',
]);

/**
 * Passes an HTTP request to the intake and sends the intake's decision.
 *
 * The checks are ordered by their cost: path, origin, rate, encoding, size, a place among the large bodies. Only then a byte
 * of the body is read; its memory is charged as the bytes arrive.
 */
export class Tunnel {
  readonly #intake: Intake;
  readonly #rejections: RecentRejections;
  readonly #rejectedDsns: RejectedDsns;
  readonly #guards: TunnelGuards;
  readonly #options: TunnelOptions;
  readonly #count: CountBy<TunnelOutcome>;

  constructor(intake: Intake, counts: TunnelCounts, guards: TunnelGuards, options: TunnelOptions) {
    this.#intake = intake;
    this.#count = countBy(counts.metrics.tunnelResponses, TUNNEL_OUTCOMES);
    this.#rejections = counts.rejections;
    this.#rejectedDsns = counts.rejectedDsns;
    this.#guards = guards;
    this.#options = options;
  }

  /** Paths in the form of a router: `/api/:project/envelope`. */
  get paths(): readonly string[] {
    return this.#guards.paths.patterns;
  }

  /** Serves a request on one of the tunnel's paths. Returns undefined for any other request, and does nothing with it. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    const route = this.#guards.paths.find(request.url ?? '');
    if (route === undefined || this.#isForApplication(request, route)) return undefined;
    if (request.method === 'POST') return this.#post(request, response, route);
    const isDialog = route.accepts === 'dialog';
    response.setHeader('Allow', isDialog ? `POST, ${READS}` : 'POST, OPTIONS');
    if (isDialog && isRead(request)) this.#sendDialog(request, response, route);
    else if (request.method === 'OPTIONS') this.#sendPreflight(request, response);
    else this.#send(request, response, { outcome: 'method', detail: 'method not allowed; use POST' });
    return Promise.resolve();
  }

  /**
   * Returns whether a request on a path of the tunnel is for the application around it. Any may have a page at `/reports`.
   * In another application `/reports` and most paths below `/api` may be names of other things: only a body of browser
   * reports, or a key, makes them the tunnel's.
   */
  #isForApplication(request: IncomingMessage, route: Route): boolean {
    const { method } = request;
    if (route.accepts === 'envelope') return false;
    if (!this.#options.isHosted) return route.accepts === 'reports' && isRead(request);
    if (method === 'OPTIONS') return !this.#guards.cors.isAllowed(request);
    if (method !== 'POST' && !(route.accepts === 'dialog' && isRead(request))) return true;
    if (route.accepts === 'reports') return reportsTypeOf(request.headers['content-type']) === undefined;
    return credentialsOf(authParametersOf(request, route), route).keys.length === 0;
  }

  /** Reads the body and responds once the envelope is committed or rejected. */
  async #post(request: IncomingMessage, response: ServerResponse, route: Route): Promise<void> {
    const client = this.#options.clients.of(request);
    const result = await this.#decide(request, route, client);
    if ('detail' in result && result.isOverload === true)
      await this.#guards.refusalPause.before(client, request.socket.remotePort);
    this.#send(request, response, result);
  }

  /** Returns the response, and gives back the memory of the body. */
  async #decide(request: IncomingMessage, route: Route, client: Client): Promise<TunnelResponse> {
    const network = client.isOperator ? null : customerNetwork(client.address);
    const reservation = this.#guards.memory.reserve(network);
    let bodyInUse: Promise<unknown> | undefined;
    try {
      const result = await this.#accept(request, route, { client, reservation });
      if ('detail' in result) bodyInUse = result.bodyInUse;
      return result;
    } finally {
      this.#guards.collector.count(reservation.bytes);
      if (bodyInUse === undefined) reservation.release();
      else void releaseAfter(bodyInUse, reservation);
    }
  }

  async #accept(
    request: IncomingMessage,
    route: Route,
    { client, reservation }: { readonly client: Client; readonly reservation: Reservation },
  ): Promise<TunnelResponse> {
    if (!this.#guards.cors.isAllowed(request)) return CROSS_SITE;
    const decision = this.#charge(client);
    if (decision === 'flood') return rateLimited();
    const { address } = client;
    const share = client.isOperator ? null : this.#guards.spoolShare;
    if (share?.isUsedUp(address) === true) return SHARE_USED_UP;
    const parameters = authParametersOf(request, route);
    const meta: RequestMeta = {
      credentials: credentialsOf(parameters, route),
      sender: senderOf(request, parameters, {
        address: keptAddress(address, this.#options.clientIp),
        host: knownHost(request, this.#options.clients.isTrusted),
      }),
      onStored: (project, part) => share?.add(address, project, part),
      receivedAtMs: Date.now(),
      isOverRate: decision === 'over',
      charge: (count) => this.#charge(client, count),
    };
    if (route.accepts === 'envelope') {
      const body = await readBody(request, this.#options, reservation);
      return body.outcome === 'ok' ? await this.#intake.accept(body.bytes, meta) : body;
    }
    const upload: Upload = { request, route, meta, reservation };
    if (route.accepts === 'store') return await acceptStoreBody(upload, this.#intake, this.#options);
    const { reportMaxBytes: maxBytes, pace } = this.#options;
    const limits = { maxBytes, compressedMaxBytes: maxBytes, pace };
    return route.accepts === 'reports'
      ? await acceptReports(upload, this.#intake, limits)
      : await acceptFeedback(upload, this.#intake, limits);
  }

  /** Sends the script of the dialog to any page: it holds no data, and only pages that may post can use it. */
  #sendDialog(request: IncomingMessage, response: ServerResponse, route: Route): void {
    const isFlood = this.#charge(this.#options.clients.of(request)) === 'flood';
    const credentials = credentialsOf(authParametersOf(request, route), route);
    const rejection = isFlood ? rateLimited() : dialogRejection({ credentials }, route, this.#intake);
    if (rejection !== undefined) this.#send(request, response, rejection);
    else sendReportDialog(response, this.#guards.cors.headersFor(request.headers));
  }

  /** Has no limit for programs on the same machine. */
  #charge({ address, isOperator }: Client, count?: EventCount): RateDecision {
    return isOperator ? 'pass' : this.#guards.ipRateLimit.consume(address, count);
  }

  #sendPreflight(request: IncomingMessage, response: ServerResponse): void {
    const { cors } = this.#guards;
    if (!cors.isAllowed(request)) this.#send(request, response, CROSS_SITE);
    else sendOptions(response, cors.preflightHeadersFor(request.headers));
  }

  #countRejection(request: IncomingMessage, { outcome, rejectedDsn }: Rejection): void {
    this.#rejections.count(outcome);
    if (outcome !== 'not_allowed' && outcome !== 'cross_site') return;
    const origin = request.headers.origin ?? null;
    const { address, isOperator } = this.#options.clients.of(request);
    // The /24 or /48: a /48 has 65,536 sender networks. A connection that ended has no address, and the limit.
    const network = isOperator ? null : (keptAddress(address, 'truncated') ?? '');
    this.#rejectedDsns.count({ dsn: rejectedDsn ?? null, origin, reason: outcome }, network);
  }

  #send(request: IncomingMessage, response: ServerResponse, result: TunnelResponse): void {
    this.#count(result.outcome);
    if ('detail' in result) this.#countRejection(request, result);
    if (response.destroyed) return;
    const { cors, pressure, ipRateLimit, collector } = this.#guards;
    sendTunnelResponse(request, response, result, {
      cors: cors.headersFor(request.headers),
      pressure: WITH_PRESSURE.has(result.outcome) ? pressure(result.project ?? null) : null,
      retryAfterSeconds: ipRateLimit.retryAfterSeconds,
    });
    // sendTunnelResponse reads and discards the rest of the body; its bytes become garbage, too.
    if (!request.complete) request.on('data', (chunk: Buffer) => collector.count(chunk.length));
  }
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** After a 503 the envelope may still be on its way to the disk; its bytes stay in memory until the commit ends. */
async function releaseAfter(inUse: Promise<unknown>, reservation: Reservation): Promise<void> {
  await inUse.catch(() => {});
  reservation.release();
}
