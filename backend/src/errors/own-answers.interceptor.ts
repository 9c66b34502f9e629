import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { DIGEST_HEADER } from '../contract/problem.ts';
import type { AllExceptionsFilter } from './all-exceptions.filter.ts';

/**
 * Records failures that the application answers itself, and leaves its answer alone: those that a filter of its own answers
 * with a status of 500 or above, and those of WebSocket gateways, for which Nest has no global filters.
 */
export class OwnAnswersInterceptor implements NestInterceptor {
  readonly #filter: Pick<AllExceptionsFilter, 'recordAnswered' | 'recordCall'>;

  constructor(filter: Pick<AllExceptionsFilter, 'recordAnswered' | 'recordCall'>) {
    this.#filter = filter;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(tap({ error: (thrown: unknown) => this.#watch(thrown, context) }));
  }

  #watch(thrown: unknown, context: ExecutionContext): void {
    const type = context.getType();
    if (type === 'ws') this.#filter.recordCall(thrown, type);
    if (type !== 'http') return;
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    response.once('finish', () => {
      // With the header the failure is recorded: it is of the exception filter's own answers.
      const isOwn = response.statusCode >= 500 && !response.hasHeader(DIGEST_HEADER);
      if (isOwn) this.#filter.recordAnswered(thrown, request, response);
    });
  }
}
