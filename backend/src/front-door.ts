import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Config } from './config/config.ts';
import type { Tunnel } from './tunnel/tunnel.ts';

/** Slow heads and bodies are looked for this often; Node's 30 s would let them live three times their limit. */
const CONNECTION_CHECK_MS = 1_000;

/**
 * Node's HTTP server with the timeouts of the settings, under Express.
 *
 * Envelopes go straight to the tunnel: Express and Nest's router cost as much for each as judging and packing it, and
 * a fifth of the throughput (docs/decisions/004). Whatever else comes to the tunnel's path, and envelopes in another
 * Nest application, go by the tunnel's controller, to the same {@link Tunnel}.
 */
export class FrontDoorAdapter extends ExpressAdapter {
  readonly #config: Config;
  readonly #tunnel: Tunnel;

  constructor(config: Config, tunnel: Tunnel) {
    super();
    this.#config = config;
    this.#tunnel = tunnel;
  }

  override initHttpServer(): void {
    const { headersTimeoutMs, bodyTimeoutMs, keepAliveTimeoutMs, tunnelPath } = this.#config;
    const options = {
      connectionsCheckingInterval: CONNECTION_CHECK_MS,
      headersTimeout: headersTimeoutMs,
      requestTimeout: headersTimeoutMs + bodyTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
    };
    const application: (request: IncomingMessage, response: ServerResponse) => void = this.getInstance();
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      if (request.method !== 'POST' || request.url !== tunnelPath) {
        application(request, response);
        return;
      }
      // A bug in the tunnel is a failure like any other: the process's own handler records it.
      void this.#tunnel.post(request, response);
    };
    this.setHttpServer(createServer(options, serve));
  }
}
