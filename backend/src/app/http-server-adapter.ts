import { ExpressAdapter } from '@nestjs/platform-express';
import type { Config } from '../config/config.ts';
import { type HttpServerParts, newHttpServer } from './http-server.ts';

/** Puts Nest's Express behind {@link newHttpServer}. */
export class HttpServerAdapter extends ExpressAdapter {
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
