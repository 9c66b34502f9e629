import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Module,
  type NestModule,
  NotFoundException,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import type { Request, Response } from 'express';
import { SignInLinks } from './console/auth/sign-in-links.ts';
import { CONSOLE_CONTROLLERS } from './console/console.controllers.ts';
import { consoleProviders } from './console/console.providers.ts';
import { consoleBody, noStore } from './console/http/middleware.ts';
import { LiveFeed } from './console/live/live-feed.ts';
import { DEMO_SERVER_ERROR_PATH } from './contract/routes.ts';
import { ErrorReporting } from './error-reporting.ts';
import { AllExceptionsFilter } from './errors/all-exceptions.filter.ts';
import { BrokenStreamInterceptor } from './errors/broken-stream.interceptor.ts';
import { DemoController } from './errors/demo.controller.ts';
import { FailureRecorder, type RecordedFailure } from './errors/failure-recorder.ts';
import { rejectionOf } from './errors/http-rejection.ts';
import { recordProcessFailures } from './errors/process-failures.ts';
import { keepOutsideOfPrefix } from './parts/fixed-paths.ts';
import { Tunnel } from './tunnel/tunnel.ts';
import { tunnelMiddleware } from './tunnel/tunnel.middleware.ts';

const CONSOLE_API = '/console/api';

/**
 * Error reporting for a Nest application: the global exception filter with digests, the tunnel, and the console. The parts
 * themselves do not depend on Nest; {@link ErrorReporting} wires them.
 */
@Module({})
export class ErrorReportingModule
  implements NestModule, OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  readonly #parts: ErrorReporting;
  readonly #live: LiveFeed;
  readonly #adapterHost: HttpAdapterHost;
  readonly #application: ApplicationConfig;
  #leaveProcess: (() => void) | undefined;

  constructor(
    parts: ErrorReporting,
    live: LiveFeed,
    adapterHost: HttpAdapterHost,
    application: ApplicationConfig,
  ) {
    this.#parts = parts;
    this.#live = live;
    this.#adapterHost = adapterHost;
    this.#application = application;
  }

  /** @param parts opened before the application, so that a failure prints one line and no stack of Nest. */
  static forRoot(parts: ErrorReporting): DynamicModule {
    const { config, log } = parts.options;
    const { failureRecorder: recorder, errorResponse } = parts;
    const filter = new AllExceptionsFilter(recorder, errorResponse, ErrorReporting.isUnavailable);
    const streams = new BrokenStreamInterceptor((thrown, host) => filter.catch(thrown, host));
    return {
      module: ErrorReportingModule,
      controllers: [...CONSOLE_CONTROLLERS, ...(config.demo ? [DemoController] : [])],
      providers: [
        { provide: ErrorReporting, useValue: parts },
        { provide: Tunnel, useValue: parts.tunnel },
        { provide: FailureRecorder, useValue: recorder },
        { provide: APP_FILTER, useValue: filter },
        { provide: APP_INTERCEPTOR, useValue: streams },
        ...consoleProviders(parts, config, log),
      ],
      exports: [ErrorReporting, LiveFeed, SignInLinks],
    };
  }

  /** Adds the middleware to Express itself: Nest's own is mounted below the application's prefix and versions. */
  configure(): void {
    const { tunnel, options } = this.#parts;
    keepOutsideOfPrefix(this.#application, [
      `${CONSOLE_API}/*path`,
      ...(options.config.demo ? [DEMO_SERVER_ERROR_PATH] : []),
    ]);
    const { httpAdapter } = this.#adapterHost;
    httpAdapter.use(tunnelMiddleware(tunnel));
    httpAdapter.use(CONSOLE_API, noStore, consoleBody);
  }

  onApplicationBootstrap(): void {
    // Nest's own handler of unknown paths serves only those below the prefix.
    if (this.#application.getGlobalPrefix() !== '') this.#adapterHost.httpAdapter.use(this.#notFound);
    this.#parts.start();
    if (this.#parts.options.recordsProcessFailures === false) return;
    this.#leaveProcess = recordProcessFailures(this.#parts.failureRecorder, this.#endProcess);
  }

  /** Ends live streams before the HTTP server closes, which would wait for them without end. */
  beforeApplicationShutdown(): void {
    this.#live.close();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#leaveProcess?.();
    await this.#parts.close();
  }

  readonly #notFound = (request: Request, response: Response): void => {
    const thrown = new NotFoundException(`Cannot ${request.method} ${request.originalUrl}`);
    this.#parts.errorResponse.sendRejection(request, response, rejectionOf(thrown, 404));
  };

  /** Ends as Node does after such a failure, once its report is on disk. */
  readonly #endProcess = async ({ kept }: RecordedFailure): Promise<void> => {
    await kept;
    this.#parts.options.log.flush();
    process.exit(1);
  };
}
