import { STATUS_CODES } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ErrorResponse, type Refusal } from './error-response.ts';
import { FailureRecorder } from './failure-recorder.ts';

/** A thread that died is back within 10 s, a database that was restarted mostly as soon. */
const AWAY_RETRY_AFTER_S = 5;
const AWAY: Refusal = {
  status: 503,
  title: 'Service Unavailable',
  detail: 'What is kept here cannot be read or written just now. Try again in a few seconds.',
};

/**
 * Catches whatever no handler caught, in Nest or in Express before it, and decides by status, not by class:
 * 500 and above, or no status at all, is a failure with a digest; 4xx is a refusal and no error. Nor is what a part
 * that is away could not do: each request would be an error of its own while one cause is told by that part.
 */
@Catch()
export class AllExceptionsFilter implements ExceptionFilter {
  readonly #failures: FailureRecorder;
  readonly #answer: ErrorResponse;
  readonly #isAway: (thrown: unknown) => boolean;

  /** @param isAway whether something is thrown by a part that cannot answer now, and soon can again. */
  constructor(failures: FailureRecorder, answer: ErrorResponse, isAway: (thrown: unknown) => boolean) {
    this.#failures = failures;
    this.#answer = answer;
    this.#isAway = isAway;
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    if (this.#isAway(thrown) && !response.headersSent) {
      response.set('Retry-After', String(AWAY_RETRY_AFTER_S));
      this.#answer.sendRefusal(request, response, AWAY);
      return;
    }
    const status = statusOf(thrown);
    if (status < 500 && !response.headersSent) {
      this.#answer.sendRefusal(request, response, refusalOf(thrown, status));
      return;
    }
    const failure = this.#failures.record(thrown, {
      method: request.method,
      path: request.path,
      route: routeOf(request),
      status,
      requestId: typeof request.id === 'string' ? request.id : null,
    });
    if (response.headersSent) response.destroy();
    else this.#answer.sendFailure(request, response, { status, ...failure });
  }
}

/** 500 unless the exception says otherwise: a Nest HttpException, or an Express error that is meant to be seen. */
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

function refusalOf(thrown: unknown, status: number): Refusal {
  const title = STATUS_CODES[status] ?? 'Request Refused';
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
