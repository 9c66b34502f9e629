import { All, Controller, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Tunnel } from './tunnel.ts';

/** Takes error reports on the application's own origin; its path comes from the settings (see tunnel.module.ts). */
@Controller()
export class TunnelController {
  readonly #tunnel: Tunnel;

  constructor(tunnel: Tunnel) {
    this.#tunnel = tunnel;
  }

  @Post()
  post(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.#tunnel.post(request, response);
  }

  @All()
  refuseMethod(@Req() request: Request, @Res() response: Response): void {
    this.#tunnel.refuseMethod(request, response);
  }
}
