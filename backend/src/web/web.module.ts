import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type DynamicModule, Module, type NestModule } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ServeStaticModule } from '@nestjs/serve-static';
import type { NextFunction, Request, Response } from 'express';
import type { BrowserSettings } from '../contract/browser-settings.ts';
import { ClientDelivery } from './client-delivery.ts';
import { ClientFiles } from './client-files.ts';
import { IndexPage } from './index-page.ts';
import { Routes } from './route-manifest.ts';
import { securityHeaders } from './security-headers.ts';

/** Names with a content hash never change; all other files are asked for again each time. */
const HASHED = /-[\w-]{8}\.\w+(\.(br|gz))?$/;

export interface WebOptions {
  readonly clientDir: string;
  readonly settings: BrowserSettings;
}

/** Delivers the client: its routes, its files, its headers; whatever is neither is a real 404. */
@Module({})
export class WebModule implements NestModule {
  readonly #adapterHost: HttpAdapterHost;
  readonly #delivery: ClientDelivery;

  constructor(adapterHost: HttpAdapterHost, delivery: ClientDelivery) {
    this.#adapterHost = adapterHost;
    this.#delivery = delivery;
  }

  static forRoot({ clientDir, settings }: WebOptions): DynamicModule {
    const mount = `/${randomUUID()}`;
    const delivery = new ClientDelivery(
      ClientFiles.read(clientDir),
      IndexPage.read(clientDir, settings),
      Routes.read(clientDir, settings.demo),
      mount,
    );
    return {
      module: WebModule,
      imports: [
        ServeStaticModule.forRoot({
          rootPath: clientDir,
          serveRoot: mount,
          // It only sends files: index.html is ours, and what it does not find goes on to the not-found.
          exclude: ['{*path}'],
          serveStaticOptions: { index: false, redirect: false, cacheControl: false, setHeaders },
        }),
      ],
      providers: [{ provide: ClientDelivery, useValue: delivery }],
    };
  }

  /** Straight to Express: Nest's own middleware changes the request's path, and costs more on each request. */
  configure(): void {
    this.#adapterHost.httpAdapter.use(forPages);
    this.#adapterHost.httpAdapter.use(this.#delivery.deliver);
  }
}

/** Pages and the API get the headers; a POST to the tunnel is read by no browser as a page. */
function forPages(request: Request, response: Response, next: NextFunction): void {
  if (request.method === 'POST' && !request.path.startsWith('/console/')) next();
  else securityHeaders(request, response, next);
}

function setHeaders(response: ServerResponse, path: string): void {
  const isVersion = path.endsWith('version.json');
  const immutable = 'public, max-age=31536000, immutable';
  response.setHeader('Cache-Control', HASHED.test(path) ? immutable : isVersion ? 'no-store' : 'no-cache');
}
