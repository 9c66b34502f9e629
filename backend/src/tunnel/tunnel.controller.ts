import { All, Controller, Next, Req, Res, type Type, VERSION_NEUTRAL } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Tunnel } from './tunnel.ts';

/**
 * Declares the tunnel's routes in Nest and forwards their requests to the {@link Tunnel}: `ERRATA_TUNNEL_PATH`, the path
 * that an SDK derives from its DSN, `/api/:project/envelope`, `/api/:project/store` and `/reports`.
 *
 * Most requests are served before Nest's router, by a call of {@link serve}: in Errata's own process before Express, in
 * another application before its parsers (docs/decisions/004). All three ways answer alike.
 */
@Controller({ version: VERSION_NEUTRAL })
export class TunnelController {
  readonly #tunnel: Tunnel;

  constructor(tunnel: Tunnel) {
    this.#tunnel = tunnel;
  }

  /**
   * Returns the controller of one application. Settings and DSNs decide its paths, and they are known only when Nest creates
   * the providers: `declare` sets them then, before Nest's router reads them.
   */
  static forApplication(): {
    readonly controller: Type<TunnelController>;
    readonly declare: (tunnel: Tunnel) => void;
  } {
    const controller = class extends TunnelController {};
    // Nest's log names the class of a route.
    Object.defineProperty(controller, 'name', { value: TunnelController.name });
    const declare = ({ paths }: Tunnel): void => {
      Controller({ path: [...paths], version: VERSION_NEUTRAL })(controller);
    };
    return { controller, declare };
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
