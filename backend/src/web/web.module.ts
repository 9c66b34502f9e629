import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type DynamicModule, Inject, Module, type NestModule } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ServeStaticModule, type ServeStaticModuleOptions } from '@nestjs/serve-static';
import type { NextFunction, Request, Response } from 'express';
import type { BrowserSettings } from '../contract/browser-settings.ts';
import { ClientDelivery } from './client-delivery.ts';
import { ClientFiles } from './client-files.ts';
import { IndexPage } from './index-page.ts';
import { Routes } from './route-manifest.ts';
import { securityHeaders } from './security-headers.ts';

const DELIVERIES = Symbol('deliveries');

/** Names with a content hash never change; all other files are asked for again each time. */
const HASHED = /-[\w-]{8}\.\w+(\.(br|gz))?$/;

export interface WebOptions {
  /** A team's own client, or the built-in one. */
  readonly clientDir: string;
  /** The built-in client: the console's pages are its, whatever else is served. */
  readonly builtInDir: string;
  readonly settings: BrowserSettings;
}

/** Delivers the client: its routes, its files, its headers; whatever is neither is a real 404. */
@Module({})
export class WebModule implements NestModule {
  readonly #adapterHost: HttpAdapterHost;
  readonly #deliveries: readonly ClientDelivery[];

  constructor(adapterHost: HttpAdapterHost, @Inject(DELIVERIES) deliveries: readonly ClientDelivery[]) {
    this.#adapterHost = adapterHost;
    this.#deliveries = deliveries;
  }

  /** A team's own client comes first, but for the console; of the built-in one remain the console and its files. */
  static forRoot({ clientDir, builtInDir, settings }: WebOptions): DynamicModule {
    const clients =
      clientDir === builtInDir
        ? [mounted(clientDir, settings, isAnyPage)]
        : [mounted(clientDir, settings, isNoConsolePage), mounted(builtInDir, settings, isConsolePage)];
    return {
      module: WebModule,
      imports: [ServeStaticModule.forRoot(...clients.map(({ files }) => files))],
      providers: [{ provide: DELIVERIES, useValue: clients.map(({ delivery }) => delivery) }],
    };
  }

  /** Straight to Express: Nest's own middleware changes the request's path, and costs more on each request. */
  configure(): void {
    this.#adapterHost.httpAdapter.use(forPages);
    for (const { deliver } of this.#deliveries) this.#adapterHost.httpAdapter.use(deliver);
  }
}

const isAnyPage = (): boolean => true;
const isConsolePage = (path: string): boolean => path === '/console' || path.startsWith('/console/');
const isNoConsolePage = (path: string): boolean => !isConsolePage(path);

interface MountedClient {
  readonly delivery: ClientDelivery;
  readonly files: ServeStaticModuleOptions;
}

function mounted(
  clientDir: string,
  settings: BrowserSettings,
  isItsPage: (path: string) => boolean,
): MountedClient {
  const mount = `/${randomUUID()}`;
  const routes = Routes.read(clientDir, { demo: settings.demo, isItsPage });
  const index = IndexPage.read(clientDir, settings);
  return {
    delivery: new ClientDelivery(ClientFiles.read(clientDir), index, routes, mount),
    files: {
      rootPath: clientDir,
      serveRoot: mount,
      // It only sends files: index.html is ours, and what it does not find goes on to the not-found.
      exclude: ['{*path}'],
      serveStaticOptions: { index: false, redirect: false, cacheControl: false, setHeaders },
    },
  };
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
