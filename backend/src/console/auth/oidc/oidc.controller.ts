import {
  BadRequestException,
  Controller,
  ForbiddenException,
  Get,
  Inject,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  CONSOLE_OIDC_RETURN_PATH,
  CONSOLE_OIDC_START_PATH,
  type SignInProblem,
} from '../../../contract/access-api.ts';
import { Audit } from '../audit.ts';
import { returnPath } from '../return-path.ts';
import { transportOf } from '../session-cookie.ts';
import { Sessions } from '../sessions.ts';
import { startSession } from '../sign-in.controller.ts';
import { SignInRecord } from '../sign-in-record.ts';
import { SignInThrottle } from '../sign-in-throttle.ts';
import { type PendingSignIn, savePendingSignIn, takePendingSignIn } from './pending-sign-in.ts';
import { ProviderSignIn } from './provider-sign-in.ts';

/** Nest token of the {@link ProviderSignIn}; its value is null when no provider is configured. */
export const PROVIDER_SIGN_IN = 'ProviderSignIn';

const NO_PROVIDER_DETAIL =
  'No OpenID Connect provider is configured. Set OIDC_ISSUER and OIDC_CLIENT_ID and restart.';

/**
 * Signs users in at an OpenID Connect provider. Both routes are navigations, so the sign-in page shows their errors.
 *
 * The session cookie is Strict and the browser comes back from another site, so it requests the final page without the
 * cookie. That page is the same for all users; the requests of its script come from this origin and carry the cookie.
 */
@Controller()
export class OidcController {
  readonly #signIn: ProviderSignIn | null;
  readonly #sessions: Sessions;
  readonly #audit: Audit;
  readonly #record: SignInRecord;
  /** Apart from that of the tokens, because a provider that is down must not stop the other sign-in methods. */
  readonly #throttle = new SignInThrottle();

  constructor(
    @Inject(PROVIDER_SIGN_IN) signIn: ProviderSignIn | null,
    sessions: Sessions,
    audit: Audit,
    record: SignInRecord,
  ) {
    this.#signIn = signIn;
    this.#sessions = sessions;
    this.#audit = audit;
    this.#record = record;
  }

  @Get(CONSOLE_OIDC_START_PATH)
  async start(@Query('to') to: unknown, @Req() request: Request, @Res() response: Response): Promise<void> {
    if (this.#signIn === null) throw new ForbiddenException(NO_PROVIDER_DETAIL);
    if (transportOf(request) === 'plain') return fail(request, response, 'plain_http');
    const redirection = await this.#signIn.start(returnUrlOf(request));
    if (redirection === 'unreachable') return fail(request, response, redirection);
    savePendingSignIn(request, response, { ...redirection.pending, to: returnPath(to) });
    response.redirect(303, redirection.url.href);
  }

  @Get(CONSOLE_OIDC_RETURN_PATH)
  async back(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (this.#signIn === null) throw new ForbiddenException(NO_PROVIDER_DETAIL);
    if (transportOf(request) === 'plain') return fail(request, response, 'plain_http');
    // An image or a frame of another site must spend no attempt and no pending sign-in.
    if ((request.headers['sec-fetch-dest'] ?? 'document') !== 'document')
      throw new ForbiddenException('Only a navigation of the browser may return from the provider.');
    if (this.#throttle.waitMs(request.ip ?? '') > 0) {
      this.#record.add('limited', request.ip ?? '');
      return fail(request, response, 'too_many');
    }
    const pending = takePendingSignIn(request, response, Date.now());
    return this.#finish(this.#signIn, pending, request, response);
  }

  async #finish(
    signIn: ProviderSignIn,
    pending: PendingSignIn | undefined,
    request: Request,
    response: Response,
  ): Promise<void> {
    const returned = returnUrlOf(request);
    returned.search = URL.parse(request.originalUrl, returned)?.search ?? '';
    const identity = await signIn.finish(returned, pending);
    if (typeof identity === 'string') {
      // A forged return costs a request to the provider, but none without the state of a pending sign-in. A user without a
      // role was identified there, and is no forgery.
      const isKnown = identity === 'no_access' || identity === 'unverified';
      const isAsked = pending !== undefined && returned.searchParams.get('state') === pending.state;
      if (isAsked && !isKnown) this.#throttle.failed(request.ip ?? '');
      if (isAsked) this.#record.add(isKnown ? 'no_access' : 'failed', request.ip ?? '');
      return fail(request, response, identity);
    }
    const session = await this.#sessions.start(identity, Date.now());
    const parts = { sessions: this.#sessions, audit: this.#audit, record: this.#record };
    await startSession(parts, session, request, response);
    response.redirect(303, request.baseUrl + returnPath(pending?.to));
  }
}

/**
 * Returns the URL of the return path as the browser sees it, or as a proxy of ERRATA_TRUST_PROXY reports it. A forged Host
 * harms only its sender: the provider redirects browsers to registered URLs only.
 */
function returnUrlOf({ protocol, host, baseUrl }: Request): URL {
  const url = URL.parse(baseUrl + CONSOLE_OIDC_RETURN_PATH, `${protocol}://${host}`);
  if (url === null) throw new BadRequestException('The Host header is missing or invalid.');
  return url;
}

function fail({ baseUrl }: Request, response: Response, problem: SignInProblem): void {
  response.redirect(303, `${baseUrl}/console/sign-in?problem=${problem}`);
}
