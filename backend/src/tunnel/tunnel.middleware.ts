import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Tunnel } from './tunnel.ts';

/**
 * Serves the tunnel's paths in any Nest application; Errata's own HTTP server calls the tunnel before Express (see
 * docs/decisions/004). The tunnel reads the bodies itself, so the application is created with `bodyParser: false`.
 */
@Injectable()
export class TunnelMiddleware implements NestMiddleware {
  readonly #tunnel: Tunnel;

  constructor(tunnel: Tunnel) {
    this.#tunnel = tunnel;
  }

  async use(request: Request, response: Response, next: NextFunction): Promise<void> {
    const served = this.#tunnel.serve(request, response, request.originalUrl);
    if (served === undefined) next();
    else await served;
  }
}
