import type { CallHandler, ExecutionContext, NestInterceptor, OnApplicationBootstrap } from '@nestjs/common';
import type { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';
import type { AllExceptionsFilter } from './all-exceptions.filter.ts';
import { BrokenStreamInterceptor } from './broken-stream.interceptor.ts';

/**
 * Adds the exception filter to a Nest application as the last of its filters, and the interceptors as the outermost ones.
 *
 * Nest asks the filter that was added last first, and resolves `APP_FILTER` of the root module before that of an imported
 * one: as `APP_FILTER` this filter would hide those of the application. So it must be created with the providers, before
 * Nest adds any `APP_FILTER`.
 */
export class ErrorHandling implements OnApplicationBootstrap {
  readonly #filter: AllExceptionsFilter;
  readonly #adapterHost: HttpAdapterHost;

  constructor(filter: AllExceptionsFilter, adapterHost: HttpAdapterHost, application: ApplicationConfig) {
    this.#filter = filter;
    this.#adapterHost = adapterHost;
    application.addGlobalFilter(filter);
    application.addGlobalInterceptor(new OwnAnswersInterceptor(filter));
    application.addGlobalInterceptor(new BrokenStreamInterceptor(filter));
  }

  /** Adds what Express calls after Nest's own handler: what a filter of the application throws. */
  onApplicationBootstrap(): void {
    // oxlint-disable-next-line no-unused-vars -- Express recognises a handler of errors by its four parameters.
    const handle = (thrown: unknown, request: Request, response: Response, _: NextFunction): void =>
      this.#filter.respond(thrown, request, response);
    // A testing module without an HTTP application has no adapter.
    this.#adapterHost.init$.subscribe(() => this.#adapterHost.httpAdapter?.use(handle));
  }
}

/**
 * Records failures that the application answers itself, and adds only their digest to its answer: those that a filter of its own answers
 * with a status of 500 or above, and those of WebSocket gateways, for which Nest has no global filters.
 */
class OwnAnswersInterceptor implements NestInterceptor {
  readonly #filter: Pick<AllExceptionsFilter, 'watchAnswer' | 'recordCall'>;

  constructor(filter: Pick<AllExceptionsFilter, 'watchAnswer' | 'recordCall'>) {
    this.#filter = filter;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(tap({ error: (thrown: unknown) => this.#watch(thrown, context) }));
  }

  #watch(thrown: unknown, context: ExecutionContext): void {
    const type = context.getType();
    if (type === 'ws') this.#filter.recordCall(thrown, type);
    if (type !== 'http') return;
    const http = context.switchToHttp();
    this.#filter.watchAnswer(thrown, http.getRequest<Request>(), http.getResponse<Response>());
  }
}
