import { type DynamicModule, Inject, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request } from 'express';
import { SignInLinks } from './console/auth/sign-in-links.ts';
import { refuseOtherMethods } from './console/allowed-methods.ts';
import { CONSOLE_CONTROLLERS } from './console/console.controllers.ts';
import { CONSOLE_PARTS, consoleProviders } from './console/console.providers.ts';
import { consoleBody, noStore } from './console/http/middleware.ts';
import { CLIENTS } from './console/auth/session-cookie.ts';
import type { Errata } from './errata.ts';

export const CONSOLE_API = '/console/api';

/** The API of the console, in an application that adds no body parser itself. */
@Module({})
export class ConsoleModule {
  /**
   * Sets what the console reads from its Express application. `request.ip` becomes the tunnel's address of the client: that
   * of Express may have the port of a connection, so that each guess of a token would have an address of its own.
   */
  constructor(
    { httpAdapter }: HttpAdapterHost<ExpressAdapter>,
    @Inject(CONSOLE_PARTS) { clients }: Pick<Errata, 'clients'>,
  ) {
    const application: Express = httpAdapter.getInstance();
    application.set('x-powered-by', false);
    application.set('etag', false);
    application.set('trust proxy', clients.isTrusted);
    application.set(CLIENTS, clients);
    Object.defineProperty(application.request, 'ip', {
      get(this: Request): string {
        return clients.of(this).address;
      },
    });
    httpAdapter.use(CONSOLE_API, noStore, refuseOtherMethods, consoleBody);
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
