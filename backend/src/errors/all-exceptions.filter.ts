import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ErrorResponse, type Rejection } from './error-response.ts';
import { FailureRecorder, type RecordedFailure } from './failure-recorder.ts';
import { rejectionOf } from './http-rejection.ts';
import { requestPath } from './request-path.ts';

/** A crashed thread is back within 10 s, a restarted database usually as well. */
const UNAVAILABLE_RETRY_AFTER_S = 5;
const UNAVAILABLE: Rejection = {
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

  /** @param isUnavailable returns whether an exception comes from a part that is unavailable for a short time. */
  constructor(
    recorder: FailureRecorder,
    errorResponse: ErrorResponse,
    isUnavailable: (thrown: unknown) => boolean,
  ) {
    this.#recorder = recorder;
    this.#errorResponse = errorResponse;
    this.#isUnavailable = isUnavailable;
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') this.#passOn(thrown, host.getType());
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    if (this.#isUnavailable(thrown) && !response.headersSent) {
      response.set('Retry-After', String(UNAVAILABLE_RETRY_AFTER_S));
      this.#errorResponse.sendRejection(request, response, UNAVAILABLE);
      return;
    }
    const status = statusOf(thrown);
    if (thrown instanceof HttpException && isAnswer(thrown) && !response.headersSent) {
      response.status(thrown.getStatus()).json(answerOf(thrown));
      return;
    }
    if (status < 500 && !response.headersSent) {
      this.#errorResponse.sendRejection(request, response, rejectionOf(thrown, status));
      return;
    }
    const failure = this.#recorder.record(thrown, {
      method: request.method,
      path: requestPath(request),
      route: routeOf(request),
      status,
      requestId: 'id' in request && typeof request.id === 'string' ? request.id : null,
    });
    if (response.headersSent) response.destroy();
    else void this.#sendKept(request, response, status, failure);
  }

  async #sendKept(
    request: Request,
    response: Response,
    status: number,
    { digest, reference, kept }: RecordedFailure,
  ): Promise<void> {
    await kept;
    if (!response.headersSent)
      this.#errorResponse.sendFailure(request, response, { status, digest, reference });
  }

  /**
   * Records a failure of a GraphQL resolver or of another call that is no HTTP request, and throws the exception unchanged:
   * the library of that context answers, and there is no response here to write to.
   */
  #passOn(thrown: unknown, context: string): never {
    if (statusOf(thrown) >= 500 && !this.#isUnavailable(thrown)) this.#recorder.recordCall(thrown, context);
    throw thrown;
  }
}

/** Returns 500 unless the exception has a status: a Nest HttpException, or an Express error that allows to expose it. */
function statusOf(thrown: unknown): number {
  if (thrown instanceof HttpException) return validStatus(thrown.getStatus());
  if (thrown instanceof Error && 'expose' in thrown && thrown.expose === true && 'status' in thrown) {
    return validStatus(thrown.status);
  }
  return 500;
}

function validStatus(status: unknown): number {
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599
    ? status
    : 500;
}

/** Returns whether the application answers by an exception, with a redirect or a 304: no error and no rejection. */
function isAnswer(exception: HttpException): boolean {
  const status: unknown = exception.getStatus();
  return typeof status === 'number' && Number.isInteger(status) && status >= 200 && status < 400;
}

/** Returns the body that Nest's own filter sends. */
function answerOf(exception: HttpException): object {
  const body: unknown = exception.getResponse();
  return typeof body === 'object' && body !== null
    ? body
    : { statusCode: exception.getStatus(), message: body };
}

function routeOf(request: Request): string | null {
  const route: unknown = request.route;
  return typeof route === 'object' && route !== null && 'path' in route && typeof route.path === 'string'
    ? route.path
    : null;
}
