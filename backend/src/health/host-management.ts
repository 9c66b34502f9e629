import type { Server } from 'node:http';
import type { BeforeApplicationShutdown, OnApplicationShutdown } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import type { Config } from '../config/config.ts';
import { managementServer } from './management-server.ts';
import { Readiness } from './readiness.ts';
import type { Spool } from '../spool/spool.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { startListener, urlOf } from './listen-on.ts';

interface ManagedParts {
  readonly options: { readonly config: Config; readonly log: Log; readonly metrics: Metrics };
  readonly spool: Spool;
}

/** The management port of another application, which is ready from its first `listen()` until its shutdown begins. */
export class HostManagement implements BeforeApplicationShutdown, OnApplicationShutdown {
  readonly #server: Server | null;
  readonly #readiness: Readiness;

  private constructor(server: Server | null, readiness: Readiness) {
    this.#server = server;
    this.#readiness = readiness;
  }

  /** Opens the port unless it is switched off. @throws SettingError for a port that it cannot listen on. */
  static async open({ options, spool }: ManagedParts, { listen$ }: HttpAdapterHost): Promise<HostManagement> {
    const { config, log, metrics } = options;
    const readiness = new Readiness(spool);
    if (config.managementPort === null) return new HostManagement(null, readiness);
    const server = managementServer(readiness, metrics);
    await startListener(server, 'MANAGEMENT_PORT', config.host, config.managementPort);
    listen$.subscribe(() => readiness.started());
    log.info({ management: urlOf(server) }, 'management_started');
    return new HostManagement(server, readiness);
  }

  beforeApplicationShutdown(): void {
    this.#readiness.drain();
  }

  onApplicationShutdown(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }
}
