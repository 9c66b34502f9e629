import { STATUS_CODES } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { FailureAnswer, type Refusal } from './failure-answer.ts';
import { Failures } from './failures.ts';

/**
 * Catches whatever no handler caught, in Nest or in Express before it, and decides by status, not by class:
 * 500 and above, or no status at all, is a failure with a digest; 4xx is a refusal and no error.
 */
@Catch()
export class AllExceptionsFilter implements ExceptionFilter {
  readonly #failures: Failures;
  readonly #answer: FailureAnswer;

  constructor(failures: Failures, answer: FailureAnswer) {
    this.#failures = failures;
    this.#answer = answer;
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
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
