import { type ArgumentsHost, Catch, type ExceptionFilter, type LoggerService } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DIGEST_HEADER, REFERENCE_HEADER } from '../contract/problem.ts';
import { isError, readProperty } from '../digest/thrown-value.ts';
import { ErrorResponse, type RejectedRequest } from './error-response.ts';
import { FailureRecorder, type RecordedFailure } from './failure-recorder.ts';
import { type HttpAnswer, httpAnswerOf, membersOf, rejectionOf } from './http-rejection.ts';
import { requestPath } from './request-path.ts';
import { requestIdOf } from './retry-advice.ts';

const UNAVAILABLE: RejectedRequest = {
  status: 503,
  title: 'Service Unavailable',
  detail: 'The store or the spool is unavailable. Try again in a few seconds.',
};

/**
 * Catches every exception that no handler caught, in Nest or in Express before it. The status decides, not the class: 500
 * and above, or no status, is a failure with a digest; 4xx is a rejection and no error. An unavailable store or spool is no
 * error of the request either: it reports its own error once, instead of one for each request.
 */
@Catch()
export class AllExceptionsFilter implements ExceptionFilter {
  readonly #recorder: FailureRecorder;
  readonly #errorResponse: ErrorResponse;
  readonly #isUnavailable: (thrown: unknown) => boolean;
  readonly #logger: Pick<LoggerService, 'error'> | undefined;
  /** Responses that this filter sends itself. */
  readonly #own = new WeakSet<Response>();
  /** Responses that a filter of the application may send. */
  readonly #watched = new WeakSet<Response>();
  /** Responses whose failure after the head is recorded. */
  readonly #broken = new WeakSet<Response>();

  /**
   * @param isUnavailable returns whether an exception comes from a part that is unavailable for a short time.
   * @param logger gets one line of each failed request, in the log of another application; Errata's own has the record.
   */
  constructor(
    recorder: FailureRecorder,
    errorResponse: ErrorResponse,
    isUnavailable: (thrown: unknown) => boolean,
    logger?: Pick<LoggerService, 'error'>,
  ) {
    this.#recorder = recorder;
    this.#errorResponse = errorResponse;
    this.#isUnavailable = isUnavailable;
    this.#logger = logger;
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const context = host.getType();
    if (context === 'http') {
      this.respond(thrown, host.switchToHttp().getRequest(), host.switchToHttp().getResponse());
      return;
    }
    this.recordCall(thrown, context);
    // The library of the context answers. Nest's own answer to RPC follows a filter that returns nothing; what a filter
    // throws there gets none. All other contexts get the exception unchanged.
    if (context !== 'rpc') throw thrown;
  }

  /** Responds to an exception of an HTTP request, and records it if it is a failure. */
  respond(thrown: unknown, request: Request, response: Response): void {
    this.#own.add(response);
    if (!response.headersSent) response.removeHeader(DIGEST_HEADER);
    if (hasLeft(request) || isCancelled(thrown, response)) return;
    if (this.#isUnavailable(thrown) && !response.headersSent) {
      this.#errorResponse.sendRejection(request, response, UNAVAILABLE);
      return;
    }
    const status = statusOf(thrown);
    const answer = httpAnswerOf(thrown);
    if (answer !== null && isAnswer(answer) && !response.headersSent) {
      response.status(Number(answer.status)).json(bodyOf(answer));
      return;
    }
    if (status < 500 && !response.headersSent) {
      this.#errorResponse.sendRejection(request, response, rejectionOf(thrown, status));
      return;
    }
    if (response.headersSent) {
      if (!this.#broken.has(response)) this.#record(thrown, request, status);
      response.destroy();
      return;
    }
    void this.#sendKept(request, response, thrown, status);
  }

  /**
   * Sets the digest of a failure before a filter of the application answers. The status is known when the head goes out:
   * from 500 on the failure is recorded, below it is none and the digest is removed. After the head no filter can answer: the
   * failure is recorded. An interceptor calls this, and then the filter.
   */
  watchAnswer(thrown: unknown, request: Request, response: Response): void {
    if (this.#watched.has(response) || this.#isUnavailable(thrown) || isHealth(httpAnswerOf(thrown)?.body))
      return;
    if (hasLeft(request) || isCancelled(thrown, response)) return;
    this.#watched.add(response);
    const status = statusOf(thrown);
    if (response.headersSent) {
      this.#broken.add(response);
      this.#record(thrown, request, status);
      return;
    }
    if (status >= 500) {
      const place = { path: requestPath(request), route: routeOf(request) };
      response.set(DIGEST_HEADER, this.#recorder.digestOf(thrown, place));
    }
    const writeHead = response.writeHead.bind(response);
    response.writeHead = (sent: number, ...others: never[]) => {
      response.writeHead = writeHead;
      if (!this.#own.has(response)) this.#recordAnswer(thrown, request, response, sent);
      return writeHead(sent, ...others);
    };
  }

  #recordAnswer(thrown: unknown, request: Request, response: Response, status: number): void {
    response.removeHeader(DIGEST_HEADER);
    if (status < 500) return;
    const { digest, reference } = this.#record(thrown, request, status);
    response.set({ [DIGEST_HEADER]: digest, [REFERENCE_HEADER]: reference });
  }

  /** Records a failure of a GraphQL resolver or of another call that is no HTTP request. */
  recordCall(thrown: unknown, context: string): void {
    if (statusOf(thrown) < 500 || isCallAnswer(thrown) || this.#isUnavailable(thrown)) return;
    this.#recorder.recordCall(thrown, context);
  }

  #record(thrown: unknown, request: Request, status: number): RecordedFailure {
    const { method } = request;
    const path = requestPath(request);
    const failure = this.#recorder.record(thrown, {
      method,
      path,
      route: routeOf(request),
      status,
      requestId: requestIdOf(request),
    });
    this.#logger?.error(`${method} ${path} ${status} digest ${failure.digest}`);
    return failure;
  }

  /** Records a failure, and responds once its report is on disk. */
  async #sendKept(request: Request, response: Response, thrown: unknown, status: number): Promise<void> {
    const { key, kept, ...codes } = this.#record(thrown, request, status);
    const members = membersOf(thrown);
    const [line] = await Promise.all([this.#errorResponse.lineOf(request, key), kept]);
    const failure = { ...codes, line, status, members };
    if (!response.headersSent) this.#errorResponse.sendFailure(request, response, failure);
  }
}

/**
 * Returns whether the client has left before the end of its body: what fails then, fails for want of the rest, and each
 * reader of bodies has an error of its own for that. An application that destroys the request itself, as a pipeline to a full
 * disk does, leaves another reason than Node's.
 *
 * @see https://github.com/nodejs/node/blob/main/lib/_http_server.js (abortIncoming)
 */
function hasLeft({ complete, errored }: Request): boolean {
  return !complete && readProperty(errored, 'code') === 'ECONNRESET' && errored?.message === 'aborted';
}

/** Returns whether the application has stopped its work because the client has left, as by a signal for `fetch`. */
function isCancelled(thrown: unknown, response: Response): boolean {
  return response.destroyed && readProperty(thrown, 'name') === 'AbortError';
}

/** Returns whether an exception is an answer: an RpcException or a WsException, whose packages need not be there. */
function isCallAnswer(thrown: unknown): boolean {
  return typeof readProperty(thrown, 'getError') === 'function';
}

/** Returns 500 unless the exception has a status: a Nest HttpException, or an Express error that allows to expose it. */
function statusOf(thrown: unknown): number {
  const answer = httpAnswerOf(thrown);
  if (answer !== null) return validStatus(answer.status);
  if (isError(thrown) && readProperty(thrown, 'expose') === true) {
    return validStatus(readProperty(thrown, 'status'));
  }
  return 500;
}

function validStatus(status: unknown): number {
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599
    ? status
    : 500;
}

/** Returns whether the application answers by an exception, with a redirect, a 304 or a health check: no error and no rejection. */
function isAnswer({ status, body }: HttpAnswer): boolean {
  return Number.isInteger(status) && ((Number(status) >= 200 && Number(status) < 400) || isHealth(body));
}

/**
 * Returns whether a body is the result of a health check, as `@nestjs/terminus` throws it. A probe reads it, and a
 * dependency that is down is no error of this application, each time a probe asks.
 *
 * @see https://docs.nestjs.com/recipes/terminus
 */
function isHealth(body: unknown): boolean {
  const parts = ['info', 'error', 'details'].map((name) => readProperty(body, name));
  const hasParts = parts.every((part) => typeof part === 'object' && part !== null);
  return hasParts && typeof readProperty(body, 'status') === 'string';
}

/** Returns the body that Nest's own filter sends. */
function bodyOf({ status, body }: HttpAnswer): object {
  return typeof body === 'object' && body !== null ? body : { statusCode: status, message: body };
}

function routeOf(request: Request): string | null {
  const route: unknown = request.route;
  return typeof route === 'object' && route !== null && 'path' in route && typeof route.path === 'string'
    ? route.path
    : null;
}
