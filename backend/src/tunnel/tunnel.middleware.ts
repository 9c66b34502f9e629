import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Tunnel } from './tunnel.ts';

/**
 * Returns middleware that serves the tunnel's paths in any Nest application; Errata's own HTTP server calls the tunnel
 * before Express (see docs/decisions/004). The tunnel reads the bodies itself, so this comes before every parser.
 */
export function tunnelMiddleware(tunnel: Tunnel): RequestHandler {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const served = tunnel.serve(request, response, request.originalUrl);
    if (served === undefined) next();
    else await served;
  };
}

/** Returns the middleware for an application of others, which may have such paths itself. */
export function hostedTunnel(tunnel: Tunnel): RequestHandler {
  const serve = tunnelMiddleware(tunnel);
  return (request, response, next) =>
    tunnel.leaves(request, request.originalUrl) ? next() : serve(request, response, next);
}
