import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
} from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express from 'express';
import { type Config, readConfig } from '../../config/config.ts';
import { ERROR_PAGES } from '../../errors/error-pages.fixture.ts';
import type { FailedRequest, FailureRecorder } from '../../errors/failure-recorder.ts';
import { type HttpServerLimits, newHttpServer } from '../../app/http-server.ts';
import { Clients } from '../../net/client-address.ts';
import { openTunnel, type TunnelLimits } from '../../open/open-tunnel.ts';
import type { Spool } from '../../spool/spool.ts';
import { queued, openSpool } from '../../spool/spool.fixture.ts';
import type { DeadLetter } from '../../spool/protocol/spool-messages.ts';
import type { QueuedEnvelope } from '../../sink/queued-envelope.ts';
import { Metrics } from '../../telemetry/metrics.ts';
import type { AllowedProject } from '../allow-list.ts';
import type { Tunnel } from '../tunnel.ts';
import { TunnelController } from '../tunnel.controller.ts';
import { TunnelModule } from '../tunnel.module.ts';
import { OWN, project, UPSTREAM } from './envelopes.fixture.ts';

export interface TestResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: { readonly id?: string; readonly detail?: string; readonly causes?: readonly unknown[] };
}

export interface TestRequest {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Sent in these pieces, without a declared length. */
  readonly chunks?: readonly Buffer[];
  readonly body?: Buffer | string;
}

export interface ServerOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Limits that are no settings. */
  readonly limits?: Partial<TunnelLimits & HttpServerLimits>;
  readonly projects?: readonly AllowedProject[];
  readonly spoolMaxBytes?: number;
  readonly way?: Way;
  /** Whether another application may have some of the paths itself. */
  readonly isHosted?: boolean;
}

/**
 * The way of a request to the tunnel: before Express under Errata's own server; as the middleware of another application,
 * under a server of Node without any limit; or by Nest's router alone.
 */
export type Way = 'before Express' | 'middleware' | 'router';

/** A test that is not about a limit in time has none but its own. */
const PATIENT = {
  commitTimeoutMs: 120_000,
  largeCommitTimeoutMs: 120_000,
  bodyTimeoutMs: 120_000,
  bodyWaitMs: 120_000,
  bodySweepMs: 120_000,
};

/** A real HTTP server with a real tunnel and a real spool, on loopback. */
export class TunnelServer {
  readonly spool: Spool;
  readonly metrics: Metrics;
  readonly server: Server;
  readonly port: number;
  /** Fields and event of each warning. */
  readonly warnings: readonly unknown[];
  readonly #directory: string;

  private constructor(
    parts: Pick<TunnelServer, 'spool' | 'metrics' | 'server' | 'warnings'>,
    directory: string,
  ) {
    this.spool = parts.spool;
    this.metrics = parts.metrics;
    this.server = parts.server;
    this.warnings = parts.warnings;
    this.port = (parts.server.address() as AddressInfo).port;
    this.#directory = directory;
  }

  static async start({
    environment = {},
    limits: changes = {},
    projects,
    spoolMaxBytes,
    way = 'before Express',
    isHosted = false,
  }: ServerOptions = {}): Promise<TunnelServer> {
    const directory = mkdtempSync(join(tmpdir(), 'errata-tunnel-'));
    const spool = await openSpool(directory, { maxBytes: spoolMaxBytes ?? 64 * 2 ** 20 });
    const config = readConfig(environment);
    const metrics = new Metrics();
    const limits = { ...PATIENT, ...changes };
    const clients = new Clients(config, { warn: () => {} });
    const warnings: unknown[] = [];
    const log = { warn: (...line: readonly unknown[]) => warnings.push(line) };
    const tunnel = openTunnel(
      { config, clients, log, metrics, relay: { isFlowing: () => false }, isHosted },
      projects ?? [project(UPSTREAM, true), project(OWN, false)],
      spool,
      limits,
    );
    const server = await serverOf(way, { config, clients, tunnel }, limits);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TunnelServer({ spool, metrics, server, warnings }, directory);
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await this.spool.close();
    rmSync(this.#directory, { recursive: true });
  }

  /** Sends a request and reads the whole response. */
  async send({
    path = '/tunnel',
    method = 'POST',
    headers = {},
    chunks,
    body,
  }: TestRequest): Promise<TestResponse> {
    const sent = httpRequest({ port: this.port, host: '127.0.0.1', method, path, headers });
    // A rejection may arrive before the last byte was sent; only the response counts.
    sent.on('error', () => {});
    for (const chunk of chunks ?? []) sent.write(chunk);
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const read: Buffer[] = [];
    for await (const chunk of answer) read.push(chunk as Buffer);
    const text = Buffer.concat(read).toString();
    const { statusCode: status = 0, headers: answered } = answer;
    return { status, headers: answered, body: text === '' ? {} : (JSON.parse(text) as TestResponse['body']) };
  }

  post(body: Buffer | string, headers: OutgoingHttpHeaders = {}): Promise<TestResponse> {
    return this.send({ body, headers });
  }

  /** Opens a connection for arbitrary bytes. */
  connect(): Socket {
    const socket = connect(this.port, '127.0.0.1');
    socket.on('error', () => {});
    return socket;
  }

  /** Writes bytes and reads until the server closes. */
  async raw(...parts: readonly (string | Buffer)[]): Promise<string> {
    const socket = this.connect();
    const read: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => read.push(chunk));
    const isClosed = once(socket, 'close');
    for (const part of parts) socket.write(part);
    await isClosed;
    return Buffer.concat(read).toString('latin1');
  }

  /** Returns the queued envelopes. */
  queued(): Promise<readonly QueuedEnvelope[]> {
    return queued(this.spool);
  }

  /** Returns the dead letters of malformed bodies, with their bytes. */
  async malformed(): Promise<readonly (DeadLetter & { readonly body: string })[]> {
    await this.spool.flush();
    const letters = await this.spool.ask('deadLetters', null, 100);
    return Promise.all(
      letters.map(async (letter) => {
        const opened = await this.spool.ask('deadLetter', letter.id);
        return { ...letter, body: Buffer.from(opened?.bytes ?? []).toString() };
      }),
    );
  }

  /** Returns the number of responses with an outcome. */
  async answers(outcome: string): Promise<number> {
    const { values } = await this.metrics.tunnelResponses.get();
    return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
  }

  /** Returns the bytes reserved for bodies in progress. */
  async reservedBytes(): Promise<number> {
    const text = await this.metrics.registry.getSingleMetricAsString('errata_tunnel_memory');
    return Number(/of="bytes"\} (?<bytes>\d+)/.exec(text)?.groups?.['bytes']);
  }
}

/** Returns the bytes of a queued envelope. */
export function bytesOf({ header, items }: QueuedEnvelope): Buffer {
  return Buffer.concat([header, Buffer.from('\n'), items]);
}

/** Resolves once a condition holds; checks it at each turn of the event loop. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}

interface ServerParts {
  readonly config: Config;
  readonly clients: Clients;
  readonly tunnel: Tunnel;
}

function serverOf(way: Way, parts: ServerParts, limits: Partial<HttpServerLimits>): Server | Promise<Server> {
  if (way === 'router') return routerServer(parts.tunnel);
  const controller = new TunnelController(parts.tunnel);
  if (way === 'before Express') return ownServer(parts, controller, limits);
  const application = express().disable('x-powered-by').use(controller.serve.bind(controller));
  return createServer({ requestTimeout: 0, headersTimeout: 0 }, application);
}

function ownServer(
  { config, clients }: ServerParts,
  tunnel: TunnelController,
  limits: Partial<HttpServerLimits>,
): Server {
  const recorder: Pick<FailureRecorder, 'record'> = {
    record: (thrown: unknown, failed: FailedRequest) => {
      throw new Error(`the tunnel failed at ${failed.path}`, { cause: thrown });
    },
  };
  const parts = { tunnel, recorder: recorder as FailureRecorder, pages: ERROR_PAGES, clients };
  return newHttpServer(config, parts, (_request, response) => response.writeHead(404).end(), limits);
}

/** Returns the server of a Nest application that has nothing but the tunnel's controller. */
async function routerServer(tunnel: Tunnel): Promise<Server> {
  const options = { logger: false } as const;
  const nest = await NestFactory.create<NestExpressApplication>(TunnelModule.forRoot(tunnel), options);
  nest.disable('x-powered-by');
  await nest.init();
  return nest.getHttpServer();
}
