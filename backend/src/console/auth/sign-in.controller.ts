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
import { Sessions } from './sessions.ts';
import { SignInThrottle } from './sign-in-throttle.ts';
import { Audit } from './audit.ts';
import { beginSession } from './begin-session.ts';
import { CLOSED_DETAIL, tooMany } from './console.guard.ts';
import { SameOriginGuard } from './same-origin.guard.ts';
import { clearSessionCookie, readSessionCookie, transportOf } from './session-cookie.ts';
import type { Principal } from './principal.ts';

const signInSchema = z.union([
  z.strictObject({ token: z.string().min(1).max(512) }),
  z.strictObject({ code: z.string().min(1).max(512) }),
]);
const PLAIN_HTTP_DETAIL =
  'Sign-in needs https: over plain http anybody on the way could read the session. Behind a proxy that ends TLS, set ERRATA_TRUST_PROXY to its network; for a container whose port is published on loopback, ERRATA_PUBLISHED_ON_LOOPBACK=on.';

/** Signing in by a token or a printed link, and out. */
@Controller(CONSOLE_SESSION_PATH)
@UseGuards(SameOriginGuard)
export class SessionController {
  readonly #access: Sessions;
  readonly #attempts: SignInThrottle;
  readonly #audit: Audit;

  constructor(access: Sessions, attempts: SignInThrottle, audit: Audit) {
    this.#access = access;
    this.#attempts = attempts;
    this.#audit = audit;
  }

  @Get()
  async state(@Req() request: Request): Promise<SessionState> {
    const session = readSessionCookie(request);
    return this.#stateOf(session === undefined ? undefined : await this.#access.visitor(session, Date.now()));
  }

  @Post()
  @HttpCode(200)
  async signIn(
    @Body() body: unknown,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionState> {
    if (!this.#access.isOpen) throw new ForbiddenException(CLOSED_DETAIL);
    if (transportOf(request) === 'plain') throw new ForbiddenException(PLAIN_HTTP_DETAIL);
    const waitMs = this.#attempts.waitMs(request.ip ?? '');
    if (waitMs > 0) throw tooMany(response, waitMs);
    const credential = signInSchema.safeParse(body);
    if (!credential.success) throw new BadRequestException('Send a JSON object with a token or a code.');
    const busyMs = 'token' in credential.data ? this.#access.busyMs(credential.data.token) : 0;
    if (busyMs > 0) throw tooMany(response, busyMs);
    const session = await this.#access.signIn(credential.data, Date.now());
    if (session === undefined) throw new UnauthorizedException(wrongDetail(credential.data));
    await beginSession({ access: this.#access, audit: this.#audit }, session, request, response);
    return this.#stateOf(session.visitor);
  }

  @Delete()
  async signOut(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionState> {
    const session = readSessionCookie(request);
    if (session !== undefined) await this.#end(session);
    clearSessionCookie(request, response);
    return this.#stateOf(undefined);
  }

  async #end(session: string): Promise<void> {
    const visitor = await this.#access.visitor(session, Date.now());
    if (visitor !== undefined) await this.#audit.changed(visitor, { action: 'sign_out', target: null });
    await this.#access.signOut(session);
  }

  #stateOf(visitor: Principal | undefined): SessionState {
    const { isOpen: open, ways } = this.#access;
    if (visitor === undefined) return { open, ways, signedIn: false, who: null, role: null };
    return { open, ways, signedIn: true, who: visitor.who, role: visitor.role };
  }
}

function wrongDetail(credential: SignIn): string {
  return 'code' in credential
    ? 'This link was used already or is older than ten minutes. Sign in with the token.'
    : 'This is not a token of the console.';
}
