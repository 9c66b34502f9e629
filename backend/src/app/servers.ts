import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Logger } from 'nestjs-pino';
import { AppModule } from './app.module.ts';
import type { Config } from '../config/config.ts';
import { LiveFeed } from '../console/live/live-feed.ts';
import { SignInLinks } from '../console/auth/sign-in-links.ts';
import { PUBLISHED_ON_LOOPBACK } from '../console/auth/session-cookie.ts';
import type { ErrorReporting } from '../error-reporting.ts';
import { HttpServerAdapter } from './http-server.ts';
import { ManagementModule } from '../health/management.module.ts';
import { Readiness } from '../health/readiness.ts';

interface Applications {
  readonly application: NestExpressApplication;
  readonly management: NestExpressApplication;
  /** The HTTP server under the application. */
  readonly frontDoor: HttpServerAdapter;
}

/** The application's listener and the management listener, from first to last request. */
export class Servers {
  readonly #application: NestExpressApplication;
  readonly #management: NestExpressApplication;
  readonly #frontDoor: HttpServerAdapter;
  readonly #readiness: Readiness;
  readonly #config: Config;

  private constructor(applications: Applications, readiness: Readiness, config: Config) {
    this.#application = applications.application;
    this.#management = applications.management;
    this.#frontDoor = applications.frontDoor;
    this.#readiness = readiness;
    this.#config = config;
  }

  /** Starts both. @throws when a port is taken. */
  static async listen(parts: ErrorReporting): Promise<Servers> {
    const { config, metrics } = parts.options;
    const readiness = new Readiness(parts.spool);
    const management = await NestFactory.create<NestExpressApplication>(
      ManagementModule.forRoot(readiness, metrics),
      { logger: false, bodyParser: false, abortOnError: false, forceCloseConnections: true },
    );
    management.disable('x-powered-by');
    const frontDoor = new HttpServerAdapter(config, parts.tunnel, parts.failures);
    const application = await NestFactory.create<NestExpressApplication>(
      AppModule.forRoot(parts),
      frontDoor,
      {
        bodyParser: false,
        bufferLogs: true,
        abortOnError: false,
      },
    );
    application.useLogger(application.get(Logger));
    application.disable('x-powered-by');
    application.set('trust proxy', [...config.trustProxy]);
    application.set(PUBLISHED_ON_LOOPBACK, config.publishedOnLoopback);
    application.set('etag', false);
    await management.listen(config.managementPort, config.host);
    await application.listen(config.port, config.host).catch(async (error: unknown) => {
      await management.close();
      throw error;
    });
    readiness.started();
    return new Servers({ application, management, frontDoor }, readiness, config);
  }

  get addresses(): { readonly application: string; readonly management: string } {
    return { application: urlOf(this.#application), management: urlOf(this.#management) };
  }

  /** What a person at the terminal wants to know; the link is good once, for ten minutes. */
  banner(): string {
    const { application, management } = this.addresses;
    const lines = [
      ['Application', application],
      ['Console', `${application}/console`],
      ['Metrics', `${management}/metrics`],
    ];
    if (this.#config.consoleToken !== null) {
      const code = this.#application.get(SignInLinks).mint();
      lines.push(['Sign in once', `${application}/console/sign-in#${code}`]);
    }
    return `\n${lines.map(([label = '', url = '']) => `  ${label.padEnd(14)}${url}`).join('\n')}\n\n`;
  }

  /** Not ready, then not accepting, then what is under way ends, then everything closes. */
  async drain(): Promise<void> {
    this.#readiness.drain();
    await delay(this.#config.shutdownDelayMs);
    // Requests under way are waited for, and these have no end of their own.
    this.#application.get(LiveFeed).close();
    await this.#frontDoor.drain();
    await this.#application.close();
    await this.#management.close();
  }
}

function urlOf(application: NestExpressApplication): string {
  const server: Server = application.getHttpServer();
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
