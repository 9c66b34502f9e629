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
import { Sessions } from '../sessions.ts';
import { SignInThrottle } from '../sign-in-throttle.ts';
import { Audit } from '../audit.ts';
import { beginSession } from '../begin-session.ts';
import { transportOf } from '../session-cookie.ts';
import { consolePlace } from '../return-path.ts';
import { type HeldSignIn, holdSignIn, takeHeldSignIn } from './pending-sign-in.ts';
import { ProviderSignIn } from './provider-sign-in.ts';

/** Token of the {@link ProviderSignIn}; null where no provider is set. */
export const PROVIDER_SIGN_IN = 'ProviderSignIn';

const NO_PROVIDER_DETAIL =
  'No OpenID Connect provider is set: set OIDC_ISSUER and OIDC_CLIENT_ID and restart.';

/**
 * Signing in at a provider of OpenID Connect. Both ends are navigations, so what goes wrong is told by the sign-in page.
 *
 * The session's cookie is Strict, and the way back begins at another site: the page it ends on is fetched without the
 * cookie. That page is the same for everybody; what it then asks for comes from our own origin, and has the cookie.
 */
@Controller()
export class OidcController {
  readonly #signIn: ProviderSignIn | null;
  readonly #access: Sessions;
  readonly #audit: Audit;
  readonly #attempts: SignInThrottle;

  constructor(
    @Inject(PROVIDER_SIGN_IN) signIn: ProviderSignIn | null,
    access: Sessions,
    audit: Audit,
    attempts: SignInThrottle,
  ) {
    this.#signIn = signIn;
    this.#access = access;
    this.#audit = audit;
    this.#attempts = attempts;
  }

  @Get(CONSOLE_OIDC_START_PATH)
  async start(@Query('to') to: unknown, @Req() request: Request, @Res() response: Response): Promise<void> {
    if (this.#signIn === null) throw new ForbiddenException(NO_PROVIDER_DETAIL);
    if (transportOf(request) === 'plain') return fail(response, 'plain_http');
    const departure = await this.#signIn.depart(returnUrlOf(request));
    if (departure === 'unreachable') return fail(response, departure);
    holdSignIn(request, response, { ...departure.held, to: consolePlace(to) });
    response.redirect(303, departure.url.href);
  }

  @Get(CONSOLE_OIDC_RETURN_PATH)
  async back(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (this.#signIn === null) throw new ForbiddenException(NO_PROVIDER_DETAIL);
    if (transportOf(request) === 'plain') return fail(response, 'plain_http');
    // Each one makes us ask the provider.
    if (this.#attempts.waitMs(request.ip ?? '') > 0) return fail(response, 'too_many');
    const held = takeHeldSignIn(request, response, Date.now());
    return this.#end(this.#signIn, held, request, response);
  }

  async #end(
    signIn: ProviderSignIn,
    held: HeldSignIn | undefined,
    request: Request,
    response: Response,
  ): Promise<void> {
    const returned = returnUrlOf(request);
    returned.search = URL.parse(request.originalUrl, returned)?.search ?? '';
    const person = await signIn.arrive(returned, held);
    if (typeof person === 'string') return fail(response, person);
    const session = await this.#access.begin(person, Date.now());
    await beginSession({ access: this.#access, audit: this.#audit }, session, request, response);
    response.redirect(303, consolePlace(held?.to));
  }
}

/**
 * As the browser sees us; behind a proxy of ERRATA_TRUST_PROXY as that says. A forged Host harms nobody but its sender:
 * the provider sends browsers to registered addresses only.
 */
function returnUrlOf({ protocol, host }: Request): URL {
  const url = URL.parse(CONSOLE_OIDC_RETURN_PATH, `${protocol}://${host}`);
  if (url === null) throw new BadRequestException('The Host of this request is none.');
  return url;
}

function fail(response: Response, problem: SignInProblem): void {
  response.redirect(303, `/console/sign-in?problem=${problem}`);
}
