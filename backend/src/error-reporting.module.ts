import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { json, type NextFunction, type Request, type Response } from 'express';
import { CONSOLE_CONTROLLERS } from './console/console.controllers.ts';
import { consoleProviders } from './console/console.providers.ts';
import { LiveFeed } from './console/live/live-feed.ts';
import { AllExceptionsFilter } from './errors/all-exceptions.filter.ts';
import { DemoController } from './errors/demo.controller.ts';
import { FailureRecorder } from './errors/failure-recorder.ts';
import { ErrorReporting } from './error-reporting.ts';
import { SignInLinks } from './console/auth/sign-in-links.ts';
import { SpoolUnavailable } from './spool/spool-thread.ts';
import { StoreUnavailable } from './store/store-thread.ts';
import { Tunnel } from './tunnel/tunnel.ts';
import { TunnelMiddleware } from './tunnel/tunnel.middleware.ts';

/** 200 keys of issues are 14 KB of JSON, the longest note is 10,000 characters of up to 4 bytes. */
const CONSOLE_BODY_LIMIT = '64kb';

/**
 * Error reporting for a Nest application: the global exception filter with its digests, the tunnel, and the console
 * that finds an error again. The parts themselves know no Nest; {@link ErrorReporting} puts them together.
 */
@Module({})
export class ErrorReportingModule
  implements NestModule, OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  readonly #parts: ErrorReporting;
  readonly #live: LiveFeed;

  constructor(parts: ErrorReporting, live: LiveFeed) {
    this.#parts = parts;
    this.#live = live;
  }

  /** @param parts opened before the application: opening can fail, and must then fail in one clear line. */
  static forRoot(parts: ErrorReporting): DynamicModule {
    const { config } = parts.options;
    return {
      module: ErrorReportingModule,
      controllers: [...CONSOLE_CONTROLLERS, ...(config.demo ? [DemoController] : [])],
      providers: [
        { provide: ErrorReporting, useValue: parts },
        { provide: Tunnel, useValue: parts.tunnel },
        { provide: FailureRecorder, useValue: parts.failureRecorder },
        {
          provide: APP_FILTER,
          useValue: new AllExceptionsFilter(parts.failureRecorder, parts.errorResponse, isAway),
        },
        ...consoleProviders(parts, config, parts.options.log),
      ],
      exports: [ErrorReporting, LiveFeed, SignInLinks],
    };
  }

  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(TunnelMiddleware).forRoutes('{*path}');
    consumer.apply(noStore).forRoutes(...CONSOLE_CONTROLLERS);
    consumer.apply(json({ inflate: false, limit: CONSOLE_BODY_LIMIT })).forRoutes(...CONSOLE_CONTROLLERS);
  }

  onApplicationBootstrap(): void {
    this.#parts.start();
  }

  /** Before the HTTP server closes: it waits for requests under way, and these have no end of their own. */
  beforeApplicationShutdown(): void {
    this.#live.close();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#parts.close();
  }
}

/** What the console shows is for who is signed in: nothing on the way may keep it, nor the browser after the sign-out. */
function noStore(_: Request, response: Response, next: NextFunction): void {
  response.set('Cache-Control', 'no-store');
  next();
}

function isAway(thrown: unknown): boolean {
  return thrown instanceof StoreUnavailable || thrown instanceof SpoolUnavailable;
}
