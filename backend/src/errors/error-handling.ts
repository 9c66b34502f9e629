import type {
  ArgumentsHost,
  CallHandler,
  ExceptionFilter,
  ExecutionContext,
  NestInterceptor,
  OnApplicationBootstrap,
} from '@nestjs/common';
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
    // Nest asks for them when it makes a route or a resolver, after all of them are there.
    const filters = application.getGlobalFilters.bind(application);
    application.getGlobalFilters = () =>
      filters().map((each) => (each === filter ? each : watched(each, filter)));
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

type Watching = Pick<AllExceptionsFilter, 'watchAnswer' | 'recordCall'>;

/**
 * Returns a global filter of the application whose failures are recorded where no interceptor sees them: those of guards and
 * middleware, and calls that it does not answer, because it throws the same exception again, as SentryGlobalFilter does, or
 * returns nothing.
 */
function watched(filter: ExceptionFilter, watching: Watching): ExceptionFilter {
  if (typeof (filter as Partial<ExceptionFilter> | null)?.catch !== 'function') return filter;
  const answer = filter.catch.bind(filter);
  const handle = (thrown: unknown, host: ArgumentsHost): unknown => {
    const type = host.getType();
    if (type === 'http') {
      watchHttp(watching, thrown, host);
      return answer(thrown, host);
    }
    const passOn = (again: unknown): never => {
      if (Object.is(again, thrown)) watching.recordCall(thrown, type);
      throw again;
    };
    try {
      const answered: unknown = answer(thrown, host);
      if (answered === undefined) watching.recordCall(thrown, type);
      return answered instanceof Promise ? answered.catch(passOn) : answered;
    } catch (again) {
      return passOn(again);
    }
  };
  return Object.create(filter, { catch: { value: handle } }) as ExceptionFilter;
}

function watchHttp(watching: Watching, thrown: unknown, host: ArgumentsHost): void {
  const http = host.switchToHttp();
  watching.watchAnswer(thrown, http.getRequest<Request>(), http.getResponse<Response>());
}

/**
 * Records failures that the application answers itself, and adds only their digest to its answer: those that a filter of its own answers
 * with a status of 500 or above, and those of WebSocket gateways, for which Nest has no global filters.
 */
class OwnAnswersInterceptor implements NestInterceptor {
  readonly #watching: Watching;

  constructor(watching: Watching) {
    this.#watching = watching;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(tap({ error: (thrown: unknown) => this.#watch(thrown, context) }));
  }

  #watch(thrown: unknown, context: ExecutionContext): void {
    const type = context.getType();
    if (type === 'ws') this.#watching.recordCall(thrown, type);
    if (type === 'http') watchHttp(this.#watching, thrown, context);
  }
}
