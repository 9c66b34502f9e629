import type { OnApplicationBootstrap } from '@nestjs/common';
import type { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import type { AllExceptionsFilter } from './all-exceptions.filter.ts';
import { BrokenStreamInterceptor } from './broken-stream.interceptor.ts';
import { OwnAnswersInterceptor } from './own-answers.interceptor.ts';

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
    this.#adapterHost.init$.subscribe(() => this.#adapterHost.httpAdapter.use(handle));
  }
}
