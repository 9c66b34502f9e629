import { All, Controller, Next, Req, Res, type Type, VERSION_NEUTRAL } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Tunnel } from './tunnel.ts';

/**
 * The tunnel's routes in Nest: it forwards their requests to the {@link Tunnel}. These are `ERRATA_TUNNEL_PATH`, the path that
 * an SDK derives from its DSN, those below `/api` (tunnel-paths.ts) and `/reports`.
 *
 * Most requests are served before Nest's router, by a call of {@link serve}: in Errata's own process before Express, in
 * another application before its parsers (docs/decisions/004). All three ways answer alike. Another application has no
 * other way: a route of Errata's in its router would share guards, interceptors and prefix with its own `/reports`.
 */
@Controller({ version: VERSION_NEUTRAL })
export class TunnelController {
  readonly #tunnel: Tunnel;

  constructor(tunnel: Tunnel) {
    this.#tunnel = tunnel;
  }

  /** Returns the controller with these paths, for Nest's router. Settings and DSNs decide them. */
  static at(paths: readonly string[]): Type<TunnelController> {
    const controller = class extends TunnelController {};
    // Nest's log names the class of a route.
    Object.defineProperty(controller, 'name', { value: TunnelController.name });
    Controller({ path: [...paths], version: VERSION_NEUTRAL })(controller);
    return controller;
  }

  /** Serves a request of the tunnel; every other one continues with `next`. */
  @All()
  serve(
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
    @Next() next: () => void,
  ): Promise<void> | undefined {
    const served = this.#tunnel.serve(request, response);
    if (served === undefined) next();
    return served;
  }
}
