import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Inject,
  Injectable,
} from '@nestjs/common';
import type { Request } from 'express';
import type { TrustedHop } from '../../net/client-address.ts';
import { isOwnOrigin } from '../../net/own-origin.ts';

/** Nest token of the {@link TrustedHop} for the proxies of ERRATA_TRUST_PROXY. */
export const TRUSTED_PROXY = 'TrustedProxy';

/**
 * Stops cross-site request forgery on requests that change something. The browser itself names the origin of a request
 * (Sec-Fetch-Site, or Origin in older browsers), and no page can forge either header.
 */
@Injectable()
export class SameOriginGuard implements CanActivate {
  readonly #isTrusted: TrustedHop;

  constructor(@Inject(TRUSTED_PROXY) isTrusted: TrustedHop) {
    this.#isTrusted = isTrusted;
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (request.method === 'GET' || request.method === 'HEAD' || this.#isSameOrigin(request)) return true;
    throw new ForbiddenException('Cross-site request rejected.');
  }

  #isSameOrigin(request: Request): boolean {
    const { 'sec-fetch-site': site, origin } = request.headers;
    if (site !== undefined) return site === 'same-origin' || site === 'none';
    return origin === undefined || isOwnOrigin(request, this.#isTrusted);
  }
}
