import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Counter } from 'prom-client';
import type { RecentRejections } from '../outcome/recent-rejections.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { IpRateLimit, Gate } from './ip-rate-limit.ts';
import type { AllowedProject } from './allow-list.ts';
import type { BodyMemory, BufferCollector, Reservation } from './body-memory.ts';
import {
  type ClientIp,
  clientAddress,
  isLoopback,
  keptAddress,
  type TrustedHop,
} from '../net/client-address.ts';
import { credentialsOf, senderOf } from './request-meta.ts';
import { type Arrival, type Intake, tooMany } from './intake.ts';
import type { CorsPolicy } from './cors.ts';
import { type BodyLimits, readBody } from './read-body.ts';
import { takeReports, takeStoreBody, type Upload } from './take-converted.ts';
import { sendOptions, sendTunnelResponse, type TunnelResponse } from './response.ts';
import type { Route, TunnelPaths } from './tunnel-paths.ts';

export interface TunnelOptions extends BodyLimits {
  /** Of a batch of browser reports. */
  readonly reportMaxBytes: number;
  readonly clientIp: ClientIp;
  readonly isTrusted: TrustedHop;
}

/** Where its answers are counted. */
export interface TunnelCounts {
  readonly metrics: Metrics;
  readonly refusals: RecentRejections;
}

/** What stands between a request and the intake. */
export interface TunnelGuards {
  readonly paths: TunnelPaths;
  readonly origins: CorsPolicy;
  readonly rate: IpRateLimit;
  readonly memory: BodyMemory;
  readonly garbage: BufferCollector;
  /** Text for `X-Sentry-Rate-Limits`, null for none; null as project: the sender's was not known yet. */
  readonly pressure: (project: AllowedProject | null) => string | null;
}

const CROSS_SITE: TunnelResponse = {
  outcome: 'cross_site',
  detail: 'posts from other sites are not accepted',
};

/** Answers that say what the sender should stop making: every 200, 429 and 503. */
const TELLS_PRESSURE: ReadonlySet<TunnelResponse['outcome']> = new Set<TunnelResponse['outcome']>([
  'accepted',
  'duplicate',
  'empty',
  'no_upstream',
  'rate_limited',
  'unavailable',
]);

/**
 * From an HTTP request to the intake's verdict, and back.
 *
 * The order of the questions is that of their cost: path, origin, rate, coding, size, memory; only then is a byte of
 * the body read.
 */
export class Tunnel {
  readonly #intake: Intake;
  readonly #metrics: Metrics;
  readonly #refusals: RecentRejections;
  readonly #guards: TunnelGuards;
  readonly #options: TunnelOptions;
  readonly #counters = new Map<TunnelResponse['outcome'], Counter.Internal>();

  constructor(intake: Intake, counts: TunnelCounts, guards: TunnelGuards, options: TunnelOptions) {
    this.#intake = intake;
    this.#metrics = counts.metrics;
    this.#refusals = counts.refusals;
    this.#guards = guards;
    this.#options = options;
  }

  /**
   * Answers a request on one of the tunnel's paths; undefined, and nothing is done, for any other.
   *
   * @param url as the client sent it, where a router has shortened `request.url`.
   */
  serve(
    request: IncomingMessage,
    response: ServerResponse,
    url = request.url ?? '',
  ): Promise<void> | undefined {
    const route = this.#guards.paths.find(url);
    if (route === undefined) return undefined;
    if (request.method === 'POST') return this.#post(request, response, route);
    const isPage = route.takes === 'reports' && (request.method === 'GET' || request.method === 'HEAD');
    // The application may have a page at this path; nobody has one at the others.
    if (isPage) return undefined;
    if (request.method === 'OPTIONS') this.#answerOptions(request, response);
    else this.#send(request, response, { outcome: 'method', detail: 'use POST' });
    return Promise.resolve();
  }

  /** Takes a body and answers once it is committed or refused. */
  async #post(request: IncomingMessage, response: ServerResponse, route: Route): Promise<void> {
    const startedAtMs = performance.now();
    const reservation = this.#guards.memory.reserve();
    let bodyInUse: Promise<unknown> | undefined;
    try {
      const answer = await this.#take(request, route, reservation);
      if (answer.outcome === 'accepted') {
        this.#metrics.commitSeconds.observe((performance.now() - startedAtMs) / 1_000);
      }
      if ('detail' in answer) bodyInUse = answer.bodyInUse;
      this.#send(request, response, answer);
    } finally {
      this.#guards.garbage.came(reservation.bytes);
      if (bodyInUse === undefined) reservation.end();
      else void endAfter(bodyInUse, reservation);
    }
  }

  async #take(request: IncomingMessage, route: Route, reservation: Reservation): Promise<TunnelResponse> {
    if (!this.#guards.origins.isWelcome(request)) return CROSS_SITE;
    const { isTrusted, clientIp } = this.#options;
    const address = clientAddress(request, isTrusted);
    const gate = this.#gate(address);
    if (gate === 'flood') return tooMany();
    const arrival: Arrival = {
      credentials: credentialsOf(request, route),
      sender: senderOf(request, keptAddress(address, clientIp)),
      receivedAtMs: Date.now(),
      isOverRate: gate === 'over',
    };
    if (route.takes === 'envelope') {
      const body = await readBody(request, this.#options, reservation);
      return body.outcome === 'ok' ? await this.#intake.take(body.bytes, arrival) : body;
    }
    const upload: Upload = { request, route, arrival, reservation };
    return route.takes === 'store'
      ? await takeStoreBody(upload, this.#intake, this.#options)
      : await takeReports(upload, this.#intake, this.#options);
  }

  /** What the operator runs in front, and beside on the same machine, is no stranger. */
  #gate(address: string): Gate {
    if (isLoopback(address) || this.#options.isTrusted(address, 0)) return 'pass';
    return this.#guards.rate.take(address);
  }

  #answerOptions(request: IncomingMessage, response: ServerResponse): void {
    const { origins } = this.#guards;
    if (!origins.isWelcome(request)) this.#send(request, response, CROSS_SITE);
    else sendOptions(response, origins.preflightHeadersFor(request.headers));
  }

  #send(request: IncomingMessage, response: ServerResponse, answer: TunnelResponse): void {
    this.#answers(answer.outcome).inc();
    if ('detail' in answer) this.#refusals.count(answer.outcome);
    if (response.destroyed) return;
    const { origins, pressure, rate, garbage } = this.#guards;
    sendTunnelResponse(request, response, answer, {
      cors: origins.headersFor(request.headers),
      pressure: TELLS_PRESSURE.has(answer.outcome) ? pressure(answer.project ?? null) : null,
      retryAfterSeconds: rate.retryAfterSeconds,
    });
    // The rest of it is thrown away as it comes; see sendTunnelResponse.
    if (!request.complete) request.on('data', (chunk: Buffer) => garbage.came(chunk.length));
  }

  /** The counter of one outcome; looked up once, as prom-client hashes the labels each time. */
  #answers(outcome: TunnelResponse['outcome']): Counter.Internal {
    const known = this.#counters.get(outcome) ?? this.#metrics.tunnelAnswers.labels(outcome);
    this.#counters.set(outcome, known);
    return known;
  }
}

/** What was told to come back may still be on its way to the disk, and its bytes in memory until it is there. */
async function endAfter(inUse: Promise<unknown>, reservation: Reservation): Promise<void> {
  await inUse.catch(() => {});
  reservation.end();
}
