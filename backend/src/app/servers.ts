import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { Logger } from 'nestjs-pino';
import { pinoHttp } from 'pino-http';
import type { Config } from '../config/config.ts';
import { SignInLinks } from '../console/auth/sign-in-links.ts';
import type { Errata } from '../errata.ts';
import { managementServer } from '../health/management-server.ts';
import { Readiness } from '../health/readiness.ts';
import { listenOn, startListener, urlOf } from '../health/listen-on.ts';
import { openGateway } from '../open/open-gateway.ts';
import { CLOSING_MS } from '../opened-parts.ts';
import { requestLog } from '../telemetry/request-log.ts';
import { Deadline } from '../time/deadline.ts';
import { TunnelController } from '../tunnel/tunnel.controller.ts';
import { AppModule } from './app.module.ts';
import { ConnectionDrain } from './connection-drain.ts';
import { type HttpServerParts, limitedServer, newHttpServer } from './http-server.ts';
import { onlyBelow } from './only-below.ts';

/** Time for scrapes in flight when everything else has ended; one takes some milliseconds. */
const MANAGEMENT_DRAIN_MS = 1_000;

/** The files of a large client, 2,000 of 26 KiB, are stored in some 3 s of one core. */
const FILES_WAIT_MS = 10_000;

/** A listener beside the application's. */
interface Beside {
  readonly server: Server;
  readonly connections: ConnectionDrain;
}

interface Listeners {
  readonly application: NestExpressApplication;
  readonly connections: ConnectionDrain;
  readonly management: Beside | null;
  readonly gateway: Beside | null;
}

/** The listeners of application, gateways and management, from the first to the last request. */
export class Servers {
  readonly #application: NestExpressApplication;
  readonly #connections: ConnectionDrain;
  readonly #management: Beside | null;
  readonly #gateway: Beside | null;
  readonly #readiness: Readiness;
  readonly #parts: Errata;

  private constructor(listeners: Listeners, readiness: Readiness, parts: Errata) {
    this.#application = listeners.application;
    this.#connections = listeners.connections;
    this.#management = listeners.management;
    this.#gateway = listeners.gateway;
    this.#readiness = readiness;
    this.#parts = parts;
  }

  /**
   * Starts all listeners. After a failure all are closed.
   *
   * @throws SettingError for a port that is in use or not permitted, and for a host that is not available.
   */
  static async listen(parts: Errata): Promise<Servers> {
    const { config, metrics } = parts.options;
    const readiness = new Readiness(parts.spool);
    const { errorPages: pages, failureRecorder: recorder, clients } = parts;
    const tunnel = new TunnelController(parts.tunnel);
    const httpServer = new HttpServerAdapter(config, { tunnel, recorder, pages, clients });
    const application = await createApplication(parts, httpServer);
    const connections = new ConnectionDrain(application.getHttpServer());
    const { host, port, managementPort, gatewayPort } = config;
    const management = managementPort === null ? null : watch(managementServer(readiness, metrics));
    const gateway =
      gatewayPort === null ? null : watch(limitedServer(config, { pages, clients }, openGateway(parts)));
    try {
      if (management !== null && managementPort !== null)
        await startListener(management.server, 'MANAGEMENT_PORT', host, managementPort);
      if (gateway !== null && gatewayPort !== null)
        await startListener(gateway.server, 'ERRATA_GATEWAY_PORT', host, gatewayPort);
      await listenOn(() => application.listen(port, host), 'PORT', host, port);
    } catch (error) {
      for (const listener of [management, gateway]) listener?.server.close();
      await application.close().catch(() => {});
      throw error;
    }
    return new Servers({ application, connections, management, gateway }, readiness, parts);
  }

  /**
   * Reports ready once the files of the served clients are stored: a page of this build may then get them from every replica.
   * A database that is away must not keep the process unready.
   */
  async becomeReady(maxWaitMs = FILES_WAIT_MS): Promise<void> {
    const isTried = await new Deadline(maxWaitMs).wait(this.#parts.clientCopy.tried);
    if (!isTried) this.#parts.options.log.warn('client_files_late');
    // A signal may have come meanwhile.
    if (this.#readiness.state === 'starting') this.#readiness.started();
  }

  get addresses(): Readonly<Record<'management' | 'gateway', string | null>> & {
    readonly application: string;
  } {
    const [management = null, gateway = null] = [this.#management, this.#gateway].map((listener) =>
      listener === null ? null : urlOf(listener.server),
    );
    const { basePath } = this.#parts.options.config;
    return { application: urlOf(this.#application.getHttpServer()) + basePath, management, gateway };
  }

  /** Returns URLs and DSN for a person at the terminal, with a sign-in link that works once within ten minutes. */
  banner(): string {
    const { application, management } = this.addresses;
    const console = `${application}/console`;
    const lines = [
      ['Application', application],
      ['Console', console],
      ...(management === null ? [] : [['Metrics', `${management}/metrics`]]),
      ['DSN', this.#parts.projects[0].project],
    ];
    if (this.#parts.options.config.consoleToken !== null) {
      const code = this.#application.get(SignInLinks).mint();
      lines.push(['Sign in once', `${console}/sign-in#${code}`]);
    }
    return `\n${lines.map(([label = '', url = '']) => `  ${label.padEnd(14)}${url}`).join('\n')}\n\n`;
  }

  /**
   * Reports not ready and announces the end on each connection, then stops accepting, then lets requests in flight end, then
   * closes everything. All steps share one deadline. The management listener is the last: probes and scrapes are answered
   * until the end.
   */
  async drain(): Promise<void> {
    const { shutdownDelayMs } = this.#parts.options.config;
    const deadline = this.#parts.stopDeadline(shutdownDelayMs);
    this.#readiness.drain();
    const listeners = [this.#connections, ...(this.#gateway === null ? [] : [this.#gateway.connections])];
    for (const connections of listeners) connections.announce();
    this.#management?.connections.announce();
    await delay(shutdownDelayMs);
    await Promise.all(listeners.map((connections) => connections.close(deadline)));
    // Has ErrataModule close the parts, with the same deadline.
    await this.#application.close();
    const { leftMs } = deadline.plus(CLOSING_MS);
    await this.#management?.connections.close(new Deadline(Math.min(MANAGEMENT_DRAIN_MS, leftMs)));
  }
}

function watch(server: Server): Beside {
  return { server, connections: new ConnectionDrain(server) };
}

async function createApplication(
  parts: Errata,
  httpServer: HttpServerAdapter,
): Promise<NestExpressApplication> {
  const { config, log } = parts.options;
  // Before every other middleware, so that pages of web/ and of errors are logged too.
  httpServer.use(pinoHttp(requestLog(log)));
  httpServer.use(onlyBelow(config.basePath));
  const application = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(parts), httpServer, {
    bodyParser: false,
    bufferLogs: true,
    abortOnError: false,
  });
  application.useLogger(application.get(Logger));
  return application;
}

/** Puts Nest's Express behind {@link newHttpServer}. */
class HttpServerAdapter extends ExpressAdapter {
  readonly #config: Config;
  readonly #parts: HttpServerParts;

  constructor(config: Config, parts: HttpServerParts) {
    super();
    this.#config = config;
    this.#parts = parts;
  }

  override initHttpServer(): void {
    this.setHttpServer(newHttpServer(this.#config, this.#parts, this.getInstance()));
  }
}
