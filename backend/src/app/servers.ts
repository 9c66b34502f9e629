import type { Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Logger } from 'nestjs-pino';
import { pinoHttp } from 'pino-http';
import { type Config, SettingError } from '../config/config.ts';
import { PUBLISHED_ON_LOOPBACK } from '../console/auth/session-cookie.ts';
import { SignInLinks } from '../console/auth/sign-in-links.ts';
import { LiveFeed } from '../console/live/live-feed.ts';
import type { ErrorReporting } from '../error-reporting.ts';
import { ManagementModule } from '../health/management.module.ts';
import { Readiness } from '../health/readiness.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { requestLog } from '../telemetry/request-log.ts';
import { AppModule } from './app.module.ts';
import { ConnectionDrain } from './connection-drain.ts';
import { HttpServerAdapter } from './http-server.ts';

/** Time for scrapes in flight when everything else has ended; one takes some milliseconds. */
const MANAGEMENT_DRAIN_MS = 1_000;

interface Listeners {
  readonly application: NestExpressApplication;
  readonly connections: ConnectionDrain;
  readonly management: NestExpressApplication;
  readonly managementConnections: ConnectionDrain;
}

/** The application's listener and the management listener, from the first to the last request. */
export class Servers {
  readonly #application: NestExpressApplication;
  readonly #connections: ConnectionDrain;
  readonly #management: NestExpressApplication;
  readonly #managementConnections: ConnectionDrain;
  readonly #readiness: Readiness;
  readonly #config: Config;
  readonly #dsn: string;

  private constructor(listeners: Listeners, readiness: Readiness, config: Config, dsn: string) {
    this.#application = listeners.application;
    this.#connections = listeners.connections;
    this.#management = listeners.management;
    this.#managementConnections = listeners.managementConnections;
    this.#readiness = readiness;
    this.#config = config;
    this.#dsn = dsn;
  }

  /**
   * Starts both listeners. After a failure both are closed.
   *
   * @throws SettingError for a port that is in use or not permitted, and for a host that is not available.
   */
  static async listen(parts: ErrorReporting): Promise<Servers> {
    const { config, metrics } = parts.options;
    const readiness = new Readiness(parts.spool);
    const management = await createManagement(readiness, metrics);
    const { errorPages: pages, failureRecorder: recorder, tunnel } = parts;
    const httpServer = new HttpServerAdapter(config, { tunnel, recorder, pages });
    const application = await createApplication(parts, httpServer);
    const connections = new ConnectionDrain(application.getHttpServer());
    const managementConnections = new ConnectionDrain(management.getHttpServer());
    const listeners = { application, connections, management, managementConnections };
    try {
      await listenOn(management, 'MANAGEMENT_PORT', config.host, config.managementPort);
      await listenOn(application, 'PORT', config.host, config.port);
    } catch (error) {
      await Promise.allSettled([management.close(), application.close()]);
      throw error;
    }
    readiness.started();
    return new Servers(listeners, readiness, config, parts.projects[0].project);
  }

  get addresses(): { readonly application: string; readonly management: string } {
    return { application: urlOf(this.#application), management: urlOf(this.#management) };
  }

  /** Returns URLs and DSN for a person at the terminal, with a sign-in link that works once within ten minutes. */
  banner(): string {
    const { application, management } = this.addresses;
    const lines = [
      ['Application', application],
      ['Console', `${application}/console`],
      ['Metrics', `${management}/metrics`],
      ['DSN', this.#dsn],
    ];
    if (this.#config.consoleToken !== null) {
      const code = this.#application.get(SignInLinks).mint();
      lines.push(['Sign in once', `${application}/console/sign-in#${code}`]);
    }
    return `\n${lines.map(([label = '', url = '']) => `  ${label.padEnd(14)}${url}`).join('\n')}\n\n`;
  }

  /**
   * Reports not ready and announces the end on each connection, then stops accepting, then lets requests in flight end, then
   * closes everything. The management listener is the last: probes and scrapes are answered until the end.
   */
  async drain(): Promise<void> {
    const { shutdownDelayMs, drainTimeoutMs } = this.#config;
    this.#readiness.drain();
    this.#connections.announce();
    this.#managementConnections.announce();
    await delay(shutdownDelayMs);
    // The server waits for requests in flight, and live streams have no end of their own.
    this.#application.get(LiveFeed).close();
    await this.#connections.close(drainTimeoutMs);
    await this.#application.close();
    await this.#managementConnections.close(MANAGEMENT_DRAIN_MS);
    await this.#management.close();
  }
}

async function createManagement(readiness: Readiness, metrics: Metrics): Promise<NestExpressApplication> {
  const module = ManagementModule.forRoot(readiness, metrics);
  const management = await NestFactory.create<NestExpressApplication>(module, {
    logger: false,
    bodyParser: false,
    abortOnError: false,
    forceCloseConnections: true,
  });
  management.disable('x-powered-by');
  return management;
}

async function createApplication(
  parts: ErrorReporting,
  httpServer: HttpServerAdapter,
): Promise<NestExpressApplication> {
  const { config, log } = parts.options;
  // Before every other middleware, so that pages of web/ and of errors are logged too.
  httpServer.use(pinoHttp(requestLog(log)));
  const application = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(parts), httpServer, {
    bodyParser: false,
    bufferLogs: true,
    abortOnError: false,
  });
  application.useLogger(application.get(Logger));
  application.disable('x-powered-by');
  application.set('trust proxy', [...config.trustProxy]);
  application.set(PUBLISHED_ON_LOOPBACK, config.publishedOnLoopback);
  application.set('etag', false);
  return application;
}

async function listenOn(
  application: NestExpressApplication,
  setting: 'PORT' | 'MANAGEMENT_PORT',
  host: string,
  port: number,
): Promise<void> {
  const address = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  try {
    await application.listen(port, host);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'EADDRINUSE') throw new SettingError(setting, `${address} is already in use`, error);
    if (code === 'EACCES') throw new SettingError(setting, `no permission to listen on ${address}`, error);
    if (code === 'EADDRNOTAVAIL')
      throw new SettingError('HOST', `address ${host} is not available here`, error);
    if (/^(ENOTFOUND|EAI_AGAIN|EINVAL)$/.test(code)) {
      throw new SettingError('HOST', `${host} cannot be resolved (${code})`, error);
    }
    throw error;
  }
}

function urlOf(application: NestExpressApplication): string {
  const server: Server = application.getHttpServer();
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
