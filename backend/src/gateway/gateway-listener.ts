/*
 * gateway/ shows the error pages of other servers to a gateway that could not answer, and records each as an event. Trust is
 * decided by the address of the socket alone. It must never read another header than those of gateway-request.ts, never
 * believe one of a peer that the operator does not trust, and never send anything upstream.
 */
import { randomUUID } from 'node:crypto';
import { type RequestListener, STATUS_CODES } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import { SERVER_ERROR_TEXT } from '../contract/texts.ts';
import { referenceOf } from '../digest/crockford.ts';
import { newEventId } from '../envelope/event-id.ts';
import type { ErrorPages } from '../errors/error-pages.ts';
import { ErrorResponse } from '../errors/error-response.ts';
import { ReportWait } from '../errors/report-wait.ts';
import type { Clients } from '../net/client-address.ts';
import { appendOwn } from '../reporting/append-own.ts';
import type { Spool } from '../spool/spool.ts';
import type { Log } from '../telemetry/log.ts';
import { type CountBy, countBy, type Metrics } from '../telemetry/metrics.ts';
import { REAL_TIME, type TimeSource } from '../time/time-source.ts';
import { afterBody } from '../tunnel/response.ts';
import { type EventProject, type PageEvent, pageEnvelope } from './gateway-event.ts';
import { faultRoute, gatewayFault } from './gateway-fault.ts';
import { type GatewayRequest, readGatewayRequest } from './gateway-request.ts';
import { PageLimits } from './page-limits.ts';

const HEALTH_PATH = '/healthz';
const NOT_FOUND = 404;
/** More than a form has; a gateway needs to send none. */
const MAX_BODY_BYTES = 64 * 1024;
const MINUTE_MS = 60_000;

const OUTCOMES = [
  'recorded',
  'limited',
  'given',
  'not_kept',
  'client_error',
  'no_status',
  'untrusted',
] as const;

export interface GatewayOptions {
  readonly own: EventProject;
  readonly spool: Pick<Spool, 'append'>;
  readonly pages: ErrorPages;
  readonly clients: Pick<Clients, 'isOperatorPeer'>;
  readonly log: Pick<Log, 'warn' | 'error'>;
  readonly metrics: Metrics;
  readonly time?: TimeSource | undefined;
}

/** Creates the listener for gateways. */
export function gatewayListener(options: GatewayOptions): RequestListener {
  const gateway = new Gateway(options);
  // oxlint-disable-next-line no-unused-vars -- Express recognises a handler of errors by its four parameters.
  const fail = (thrown: unknown, request: Request, response: Response, _: NextFunction): void =>
    gateway.fail(thrown, request, response);
  const application = express()
    .disable('x-powered-by')
    .use((request: Request, response: Response) => gateway.serve(request, response))
    .use(fail);
  return (request, response) => {
    // Express answers by itself to a target that it cannot parse.
    Object.assign(request, { originalUrl: request.url, url: '/' });
    application(request, response);
  };
}

class Gateway {
  readonly #options: GatewayOptions;
  readonly #responses: ErrorResponse;
  readonly #wait: ReportWait;
  readonly #time: TimeSource;
  readonly #limits: PageLimits;
  readonly #count: CountBy<(typeof OUTCOMES)[number]>;
  /** By event of the log, when it was written. */
  readonly #warnedAtMs = new Map<string, number>();

  constructor(options: GatewayOptions) {
    const { pages, metrics, time = REAL_TIME } = options;
    this.#options = options;
    this.#responses = new ErrorResponse(pages);
    this.#wait = new ReportWait(metrics, time);
    this.#time = time;
    this.#limits = new PageLimits(time.nowMs);
    this.#count = countBy(metrics.gatewayPages, OUTCOMES);
  }

  /** Answers with the page of the failure that the request describes. */
  async serve(request: Request, response: Response): Promise<void> {
    if (isHealthCheck(request)) {
      response.type('text').set('Cache-Control', 'no-store').send('ok\n');
      return;
    }
    const peer = request.socket.remoteAddress ?? '';
    const { headersDistinct, method, originalUrl: url } = request;
    const read = readGatewayRequest({ headersDistinct, method, url });
    discardBody(request, response);
    if (!this.#options.clients.isOperatorPeer(peer)) {
      this.#count('untrusted');
      this.#warn('gateway_untrusted', { address: peer });
      this.#sendText(request, response, read.status ?? NOT_FOUND);
      return;
    }
    if (read.status === null) this.#warn('gateway_no_status', { address: peer, service: read.service });
    const { status, retryAfterSeconds } = { ...read, status: read.status ?? NOT_FOUND };
    if (retryAfterSeconds !== null) response.set('Retry-After', String(retryAfterSeconds));
    response.status(status);
    const requestId = read.requestId ?? randomUUID();
    becomeOriginal(request, read, requestId);
    if (status >= 500) {
      await this.#sendFailure(request, response, { status, requestId, request: read });
      return;
    }
    this.#count(read.status === null ? 'no_status' : 'client_error');
    this.#responses.sendRejection(request, response, { status, title: titleOf(status), detail: null });
  }

  /** Answers after an exception of this code. */
  fail(thrown: unknown, request: Request, response: Response): void {
    this.#options.log.error({ err: thrown }, 'gateway_failed');
    if (response.headersSent) response.destroy();
    else this.#sendText(request, response, Math.max(response.statusCode, 500));
  }

  /** Records the failure and sends its page once the event is on disk. The backend has reported its own digest itself. */
  async #sendFailure(request: Request, response: Response, failure: FailedRequest): Promise<void> {
    const { status, request: read } = failure;
    if (read.digest !== null) {
      this.#count('given');
      this.#responses.sendFailure(request, response, { status, digest: read.digest, reference: null });
      return;
    }
    const { service, route } = this.#limits.named(read.service, faultRoute(status, read.path));
    const fault = gatewayFault(status, service, route);
    const [reference, line] = await Promise.all([
      this.#limits.take(service) ? this.#record({ ...failure, service, fault }) : this.#countLimited(),
      this.#responses.lineOf(request, fault.digest.key),
    ]);
    this.#responses.sendFailure(request, response, { status, digest: fault.digest.shown, reference, line });
  }

  #countLimited(): null {
    this.#count('limited');
    return null;
  }

  /** Records a page as an event. Returns its reference, null if it is not on disk in time. */
  async #record(page: Omit<PageEvent, 'eventId' | 'timeMs'>): Promise<string | null> {
    const eventId = newEventId();
    const isKept = await this.#wait.for(this.#append({ ...page, eventId, timeMs: Date.now() }));
    this.#count(isKept === true ? 'recorded' : 'not_kept');
    return isKept === true ? referenceOf(eventId) : null;
  }

  /** Appends the event of a page to the spool. Returns whether it is on disk. */
  async #append(page: PageEvent): Promise<boolean> {
    const { own, spool } = this.#options;
    const body = pageEnvelope(page, own);
    try {
      await appendOwn(spool, { ...own, hasUpstream: false, source: 'gateway' }, { body }, page.timeMs);
      return true;
    } catch (error) {
      this.#warn('gateway_page_lost', { err: error });
      return false;
    }
  }

  /** Sends the sentence of the status, as a browser gets it for a part of a page. */
  #sendText(request: Request, response: Response, status: number): void {
    request.headers = { 'sec-fetch-dest': 'image' };
    const detail = status >= 500 ? SERVER_ERROR_TEXT : null;
    this.#responses.sendRejection(request, response, { status, title: titleOf(status), detail });
  }

  /** Logs a warning, once a minute at most for each event: any client may cause it. */
  #warn(event: string, fields: object): void {
    const nowMs = this.#time.nowMs();
    if (nowMs - (this.#warnedAtMs.get(event) ?? -Infinity) < MINUTE_MS) return;
    this.#warnedAtMs.set(event, nowMs);
    this.#options.log.warn(fields, event);
  }
}

interface FailedRequest {
  readonly status: number;
  readonly requestId: string;
  readonly request: GatewayRequest;
}

function titleOf(status: number): string {
  return STATUS_CODES[status] ?? 'Request Rejected';
}

function isHealthCheck({ method, originalUrl, headers }: Request): boolean {
  return (
    (method === 'GET' || method === 'HEAD') && originalUrl === HEALTH_PATH && headers['x-code'] === undefined
  );
}

/** Makes a request the one that the client has sent to the gateway, for the form of the response. It loses all other headers. */
function becomeOriginal(request: Request, read: GatewayRequest, id: string): void {
  const { method, path, accept, destination } = read;
  Object.assign(request, { id, method: method ?? '', originalUrl: path ?? '' });
  request.headers = { accept, 'sec-fetch-dest': destination };
}

/**
 * Discards the body. After a large one, and one of unknown length that has not ended, the connection closes; a client that
 * still sends gets the whole response before.
 */
function discardBody(request: Request, response: Response): void {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (length === undefined && coding === undefined) return;
  let bytes = 0;
  request.on('data', (chunk: Buffer) => void (bytes += chunk.length));
  const isLarge = (): boolean =>
    bytes > MAX_BODY_BYTES || (length === undefined ? !request.complete : Number(length) > MAX_BODY_BYTES);
  const end = response.end.bind(response);
  response.end = (body?: unknown) => {
    response.end = end;
    if (!isLarge()) return end(body);
    response.shouldKeepAlive = false;
    if (request.complete) return end(body);
    response.write(body);
    afterBody(request, end);
    return response;
  };
}
