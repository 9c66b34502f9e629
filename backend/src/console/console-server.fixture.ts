import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { readConfig } from '../config/config.ts';
import { ConsoleModule } from '../console.module.ts';
import { Errata } from '../errata.ts';
import { ErrataModule } from '../errata.module.ts';
import { startSharedSpool } from '../spool/spool.fixture.ts';
import { createLog, type Log } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { startShared } from '../thread/shared-thread.fixture.ts';
import { TunnelModule } from '../tunnel/tunnel.module.ts';

export const OPERATOR_TOKEN = 'a-token-for-operators';
export const SUPPORT_TOKEN = 'a-token-for-support';

const startStore = startShared(new URL('../store/store.worker.ts', import.meta.url));

/** The console's API with real store and spool, on loopback. */
export class ConsoleServer {
  readonly url: string;
  readonly parts: Errata;
  readonly dataDir: string;
  readonly #application: NestExpressApplication;

  private constructor(application: NestExpressApplication, parts: Errata, dataDir: string) {
    const server: Server = application.getHttpServer();
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.parts = parts;
    this.dataDir = dataDir;
    this.#application = application;
  }

  static async start(
    environment: Readonly<Record<string, string>> = {},
    log: Log = createLog('silent'),
  ): Promise<ConsoleServer> {
    const dataDir = mkdtempSync(join(tmpdir(), 'errata-console-'));
    const clientDir = join(dataDir, 'client');
    mkdirSync(clientDir);
    for (const page of ['error.html', '404.html', 'index.html'])
      writeFileSync(join(clientDir, page), '<style></style>');
    const config = readConfig({
      ERRATA_DATA_DIR: dataDir,
      ERRATA_CONSOLE_TOKEN: OPERATOR_TOKEN,
      ERRATA_SUPPORT_TOKEN: SUPPORT_TOKEN,
      ...environment,
    });
    const common = { config, log, clientDir, applicationRoot: dataDir, release: '1.0.0' };
    const parts = await Errata.open({
      ...common,
      metrics: new Metrics(),
      recordsProcessFailures: false,
      startSpool: startSharedSpool,
      startStore,
    });
    const opened = { provide: Errata, useValue: parts };
    const imports = [TunnelModule.forRoot(parts.tunnel), ConsoleModule.forRoot(parts)];
    const root = { ...ErrataModule.forRoot(opened, config.demo), imports };
    const application = await NestFactory.create<NestExpressApplication>(root, {
      logger: false,
      bodyParser: false,
      abortOnError: false,
    });
    await application.listen(0, '127.0.0.1');
    return new ConsoleServer(application, parts, dataDir);
  }

  /** Sends a request like a browser on the console's pages, or like the holder of a token. */
  ask(method: string, path: string, as: Client = {}, body?: unknown): Promise<Response> {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (as.bearer !== undefined) headers['authorization'] = `Bearer ${as.bearer}`;
    if (as.cookie !== undefined) headers['cookie'] = as.cookie;
    if (as.address !== undefined)
      Object.assign(headers, { 'x-forwarded-for': as.address, 'x-forwarded-proto': 'https' });
    if (body !== undefined) headers['content-type'] = 'application/json';
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return fetch(`${this.url}${path}`, { method, headers, redirect: 'manual', ...sent });
  }

  /** Returns the JSON of a page of the API. */
  async read<T>(path: string, as: Client): Promise<T> {
    return (await (await this.ask('GET', path, as)).json()) as T;
  }

  /** Signs in and returns the session's cookie. */
  async signIn(token: string, cookie?: string): Promise<string> {
    const as = cookie === undefined ? {} : { cookie };
    const response = await this.ask('POST', '/console/api/session', as, { token });
    return cookieOf(response);
  }

  async close(): Promise<void> {
    await this.#application.close();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

export interface Client {
  readonly bearer?: string;
  readonly cookie?: string;
  /** Address that a TLS proxy of ERRATA_TRUST_PROXY reports. */
  readonly address?: string;
}

/** Returns the cookies of a response as a browser sends them back, without the deleted ones. */
export function cookieOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0] ?? '')
    .filter((pair) => !pair.endsWith('='))
    .join('; ');
}
