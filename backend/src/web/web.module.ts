import {
  type DynamicModule,
  Inject,
  Module,
  type NestModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ServeStaticModule } from '@nestjs/serve-static';
import type { ServedClients } from './served-clients.ts';

const CLIENTS = Symbol('clients');

/** Delivers the client: its pages, files and headers. Every other path must get a real 404. */
@Module({})
export class WebModule implements NestModule, OnApplicationBootstrap, OnApplicationShutdown {
  readonly #adapterHost: HttpAdapterHost;
  readonly #served: ServedClients;
  readonly #end = new AbortController();

  constructor(adapterHost: HttpAdapterHost, @Inject(CLIENTS) served: ServedClients) {
    this.#adapterHost = adapterHost;
    this.#served = served;
  }

  static forRoot(served: ServedClients): DynamicModule {
    return {
      module: WebModule,
      imports: [ServeStaticModule.forRoot(...served.clients.map(({ files }) => files))],
      providers: [{ provide: CLIENTS, useValue: served }],
    };
  }

  /** Adds the middleware to Express itself: Nest's own changes the request's path, and is slower. */
  configure(): void {
    const { headers, clients } = this.#served;
    this.#adapterHost.httpAdapter.use(headers);
    for (const { delivery } of clients) this.#adapterHost.httpAdapter.use(delivery.deliver);
  }

  /** The start does not wait: until a file is compressed, it is sent as it is. */
  onApplicationBootstrap(): void {
    void this.#served.compress?.(this.#end.signal);
  }

  onApplicationShutdown(): void {
    this.#end.abort();
  }
}
