import { STATUS_CODES } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ErrorResponse, type Rejection } from './error-response.ts';
import { FailureRecorder, type RecordedFailure } from './failure-recorder.ts';

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
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    if (this.#isUnavailable(thrown) && !response.headersSent) {
      response.set('Retry-After', String(UNAVAILABLE_RETRY_AFTER_S));
      this.#errorResponse.sendRejection(request, response, UNAVAILABLE);
      return;
    }
    const status = statusOf(thrown);
    if (status < 500 && !response.headersSent) {
      this.#errorResponse.sendRejection(request, response, rejectionOf(thrown, status));
      return;
    }
    const failure = this.#recorder.record(thrown, {
      method: request.method,
      path: request.path,
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

function rejectionOf(thrown: unknown, status: number): Rejection {
  const title = STATUS_CODES[status] ?? 'Request Rejected';
  if (!(thrown instanceof HttpException)) return { status, title, detail: null };
  const detail = thrown.message === '' || thrown.message === title ? null : thrown.message;
  return { status, title, detail };
}

function routeOf(request: Request): string | null {
  const route: unknown = request.route;
  return typeof route === 'object' && route !== null && 'path' in route && typeof route.path === 'string'
    ? route.path
    : null;
}
