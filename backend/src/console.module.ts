import { type DynamicModule, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { SignInLinks } from './console/auth/sign-in-links.ts';
import { CONSOLE_CONTROLLERS } from './console/console.controllers.ts';
import { CONSOLE_PARTS, consoleProviders } from './console/console.providers.ts';
import { consoleBody, noStore } from './console/http/middleware.ts';
import type { Config } from './config/config.ts';
import { PUBLISHED_ON_LOOPBACK } from './console/auth/session-cookie.ts';
import type { Errata } from './errata.ts';

export const CONSOLE_API = '/console/api';

/** The API of the console, in an application that adds no body parser itself. */
@Module({})
export class ConsoleModule {
  constructor({ httpAdapter }: HttpAdapterHost) {
    httpAdapter.use(CONSOLE_API, noStore, consoleBody);
  }

  /** Sets what the console reads from its Express application: how far it trusts proxies, and where its port is published. */
  static configure(
    application: { set(name: string, value: unknown): unknown },
    { trustProxy, publishedOnLoopback }: Pick<Config, 'trustProxy' | 'publishedOnLoopback'>,
  ): void {
    application.set('x-powered-by', false);
    application.set('etag', false);
    application.set('trust proxy', [...trustProxy]);
    application.set(PUBLISHED_ON_LOOPBACK, publishedOnLoopback);
  }

  static forRoot(parts: Errata): DynamicModule {
    return {
      module: ConsoleModule,
      controllers: [...CONSOLE_CONTROLLERS],
      providers: [{ provide: CONSOLE_PARTS, useValue: parts }, ...consoleProviders()],
      exports: [SignInLinks],
    };
  }
}
