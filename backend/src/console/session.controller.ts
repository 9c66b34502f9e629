import {
  BadRequestException,
  Body,
  Controller,
  Delete,
  ForbiddenException,
  Get,
  HttpCode,
  HttpException,
  Post,
  Req,
  Res,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { CONSOLE_SESSION_PATH, type SessionState } from '../contract/access-api.ts';
import { Access } from './access.ts';
import { Attempts } from './attempts.ts';
import { CLOSED_DETAIL } from './console.guard.ts';
import { SameOriginGuard } from './same-origin.guard.ts';
import { clearSessionCookie, readSessionCookie, setSessionCookie, transportOf } from './session-cookie.ts';

const signInSchema = z.union([
  z.strictObject({ token: z.string().min(1).max(512) }),
  z.strictObject({ code: z.string().min(1).max(512) }),
]);
/** A cookie outlives no session: the session's own limits end it earlier. */
const COOKIE_MAX_AGE_MS = 7 * 86_400_000;
const PLAIN_HTTP_DETAIL =
  'Sign-in needs https: over plain http anybody on the way could read the session. Behind a proxy that ends TLS, set ERRATA_TRUST_PROXY to its network.';

/** Signing in and out of the console. */
@Controller(CONSOLE_SESSION_PATH)
@UseGuards(SameOriginGuard)
export class SessionController {
  readonly #access: Access;
  readonly #attempts: Attempts;

  constructor(access: Access, attempts: Attempts) {
    this.#access = access;
    this.#attempts = attempts;
  }

  @Get()
  async state(@Req() request: Request): Promise<SessionState> {
    const session = readSessionCookie(request);
    const signedIn = session !== undefined && (await this.#access.isSignedIn(session, Date.now()));
    return { open: this.#access.isOpen, signedIn };
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
    if (waitMs > 0) {
      response.set('Retry-After', String(Math.ceil(waitMs / 1_000)));
      throw new HttpException('Too many attempts; wait a minute.', 429);
    }
    const credential = signInSchema.safeParse(body);
    if (!credential.success) throw new BadRequestException('Send a JSON object with a token or a code.');
    const session = await this.#access.signIn(credential.data, Date.now());
    if (session === undefined) throw new UnauthorizedException(wrongDetail(credential.data));
    setSessionCookie(request, response, session, COOKIE_MAX_AGE_MS);
    return { open: true, signedIn: true };
  }

  @Delete()
  async signOut(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionState> {
    const session = readSessionCookie(request);
    if (session !== undefined) await this.#access.signOut(session);
    clearSessionCookie(request, response);
    return { open: this.#access.isOpen, signedIn: false };
  }
}

function wrongDetail(credential: { readonly token: string } | { readonly code: string }): string {
  return 'code' in credential
    ? 'This link was used already or is older than ten minutes. Sign in with the token.'
    : 'This is not the token of the console.';
}
