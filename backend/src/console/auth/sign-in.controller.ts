import {
  BadRequestException,
  Body,
  Controller,
  Delete,
  ForbiddenException,
  Get,
  HttpCode,
  Post,
  Req,
  Res,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { CONSOLE_SESSION_PATH, type SessionState, type SignIn } from '../../contract/access-api.ts';
import { Audit } from './audit.ts';
import { CLOSED_DETAIL, tokenWaitMs, tooMany } from './console.guard.ts';
import type { Principal } from './principal.ts';
import { SameOriginGuard } from './same-origin.guard.ts';
import { clearSessionCookie, readSessionCookie, setSessionCookie, transportOf } from './session-cookie.ts';
import { type NewSession, Sessions } from './sessions.ts';
import { SignInRecord } from './sign-in-record.ts';
import { SignInThrottle } from './sign-in-throttle.ts';
import { DAY_MS } from '../../time/iso.ts';

const signInSchema = z.union([
  z.strictObject({ token: z.string().min(1).max(512) }),
  z.strictObject({ code: z.string().min(1).max(512) }),
]);

const PLAIN_HTTP_DETAIL =
  'Sign-in requires HTTPS, because plain HTTP exposes the session. Behind a TLS proxy, set ERRATA_TRUST_PROXY. For a container published on loopback, set ERRATA_PUBLISHED_ON_LOOPBACK=on.';

/** The cookie may outlive its session: the server ends the session by its own limits. */
const COOKIE_MAX_AGE_MS = 7 * DAY_MS;

/** Signs a browser in by a token or a printed link, and out. */
@Controller(CONSOLE_SESSION_PATH)
@UseGuards(SameOriginGuard)
export class SignInController {
  readonly #sessions: Sessions;
  readonly #throttle: SignInThrottle;
  readonly #audit: Audit;
  readonly #record: SignInRecord;

  constructor(sessions: Sessions, throttle: SignInThrottle, audit: Audit, record: SignInRecord) {
    this.#sessions = sessions;
    this.#throttle = throttle;
    this.#audit = audit;
    this.#record = record;
  }

  @Get()
  async state(@Req() request: Request): Promise<SessionState> {
    const token = readSessionCookie(request);
    return this.#stateOf(token === undefined ? undefined : await this.#sessions.principal(token, Date.now()));
  }

  @Post()
  @HttpCode(200)
  async signIn(
    @Body() body: unknown,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionState> {
    if (!this.#sessions.isOpen) throw new ForbiddenException(CLOSED_DETAIL);
    if (transportOf(request) === 'plain') throw new ForbiddenException(PLAIN_HTTP_DETAIL);
    const address = request.ip ?? '';
    const { success, data: credential } = signInSchema.safeParse(body);
    if (!success) throw new BadRequestException('Send a JSON object with a token or a code.');
    const waitMs = this.#waitMs(credential, address);
    if (waitMs > 0) {
      this.#record.add('limited', address);
      throw tooMany(response, waitMs);
    }
    const session = await this.#sessions.signIn(credential, address, Date.now());
    if (session === undefined) {
      this.#throttle.failed(address);
      this.#record.add('wrong', address);
      throw new UnauthorizedException(wrongDetail(credential));
    }
    const parts = { sessions: this.#sessions, audit: this.#audit, record: this.#record };
    await startSession(parts, session, request, response);
    return this.#stateOf(session.principal);
  }

  @Delete()
  async signOut(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionState> {
    const token = readSessionCookie(request);
    if (token !== undefined) await this.#end(token);
    clearSessionCookie(request, response);
    return this.#stateOf(undefined);
  }

  /** A browser waits for the failures of its own network with any token: a holder of one could guess another. */
  #waitMs(credential: SignIn, address: string): number {
    const ownMs = this.#throttle.waitMs(address);
    if (ownMs > 0 || 'code' in credential) return ownMs;
    return tokenWaitMs(this.#sessions, this.#throttle, credential.token, address);
  }

  async #end(token: string): Promise<void> {
    const principal = await this.#sessions.principal(token, Date.now());
    if (principal !== undefined) await this.#audit.changed(principal, { action: 'sign_out', target: null });
    await this.#sessions.signOut(token);
  }

  #stateOf(principal: Principal | undefined): SessionState {
    const { isOpen: open, ways } = this.#sessions;
    if (principal === undefined) return { open, ways, signedIn: false, who: null, role: null };
    return { open, ways, signedIn: true, who: principal.who, role: principal.role };
  }
}

interface StartParts {
  readonly sessions: Sessions;
  readonly audit: Audit;
  readonly record: SignInRecord;
}

/** Gives a new session to its browser, and ends the session that the browser had before. */
export async function startSession(
  { sessions, audit, record }: StartParts,
  { token, principal }: NewSession,
  request: Request,
  response: Response,
): Promise<void> {
  await audit.changed(principal, { action: 'sign_in', target: null, detail: principal.session?.way ?? null });
  const previous = readSessionCookie(request);
  if (previous !== undefined) await sessions.signOut(previous);
  setSessionCookie(request, response, token, COOKIE_MAX_AGE_MS);
  record.add('accepted', request.ip ?? '');
}

function wrongDetail(credential: SignIn): string {
  return 'code' in credential
    ? 'This link was used or has expired (10 minutes). Sign in with a token.'
    : 'Wrong token.';
}
