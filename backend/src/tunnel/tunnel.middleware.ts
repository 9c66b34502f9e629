import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Tunnel } from './tunnel.ts';

/**
 * The tunnel's paths in any Nest application; its own front door hands them over before Express (see
 * docs/decisions/004). The bodies must come unread: such an application is created with `bodyParser: false`.
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
