import { type DynamicModule, Inject, Module, type NestModule } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ServeStaticModule } from '@nestjs/serve-static';
import type { ClientDelivery } from './client-delivery.ts';
import { mountedClients, type WebOptions } from './mounted-client.ts';
import { pageHeaders } from './security-headers.ts';

const DELIVERIES = Symbol('deliveries');

/** Delivers the client: its pages, files and headers. Every other path must get a real 404. */
@Module({})
export class WebModule implements NestModule {
  readonly #adapterHost: HttpAdapterHost;
  readonly #deliveries: readonly ClientDelivery[];

  constructor(adapterHost: HttpAdapterHost, @Inject(DELIVERIES) deliveries: readonly ClientDelivery[]) {
    this.#adapterHost = adapterHost;
    this.#deliveries = deliveries;
  }

  static forRoot(options: WebOptions): DynamicModule {
    const clients = mountedClients(options);
    return {
      module: WebModule,
      imports: [ServeStaticModule.forRoot(...clients.map(({ files }) => files))],
      providers: [{ provide: DELIVERIES, useValue: clients.map(({ delivery }) => delivery) }],
    };
  }

  /** Adds the middleware to Express itself: Nest's own changes the request's path, and is slower. */
  configure(): void {
    this.#adapterHost.httpAdapter.use(pageHeaders);
    for (const { deliver } of this.#deliveries) this.#adapterHost.httpAdapter.use(deliver);
  }
}
