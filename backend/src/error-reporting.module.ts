import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core';
import { SignInLinks } from './console/auth/sign-in-links.ts';
import { CONSOLE_CONTROLLERS } from './console/console.controllers.ts';
import { consoleProviders } from './console/console.providers.ts';
import { consoleBody, noStore } from './console/http/middleware.ts';
import { LiveFeed } from './console/live/live-feed.ts';
import { ErrorReporting } from './error-reporting.ts';
import { AllExceptionsFilter } from './errors/all-exceptions.filter.ts';
import { BrokenStreamInterceptor } from './errors/broken-stream.interceptor.ts';
import { DemoController } from './errors/demo.controller.ts';
import { FailureRecorder, type RecordedFailure } from './errors/failure-recorder.ts';
import { recordProcessFailures } from './errors/process-failures.ts';
import { Tunnel } from './tunnel/tunnel.ts';
import { TunnelMiddleware } from './tunnel/tunnel.middleware.ts';

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
  #leaveProcess: (() => void) | undefined;

  constructor(parts: ErrorReporting, live: LiveFeed) {
    this.#parts = parts;
    this.#live = live;
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

  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(TunnelMiddleware).forRoutes('{*path}');
    consumer.apply(noStore, consoleBody).forRoutes(...CONSOLE_CONTROLLERS);
  }

  onApplicationBootstrap(): void {
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

  /** Ends as Node does after such a failure, once its report is on disk. */
  readonly #endProcess = async ({ kept }: RecordedFailure): Promise<void> => {
    await kept;
    this.#parts.options.log.flush();
    process.exit(1);
  };
}
