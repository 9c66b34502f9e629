import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import type { Request } from 'express';
import { Access } from './access.ts';
import { readSessionCookie } from './session-cookie.ts';

export const CLOSED_DETAIL =
  'The console is closed: set ERRATA_CONSOLE_TOKEN (or ERRATA_CONSOLE_TOKEN_FILE) and restart.';

/** Lets in signed-in browsers and holders of the token. */
@Injectable()
export class ConsoleGuard implements CanActivate {
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (!this.#access.isOpen) throw new ForbiddenException(CLOSED_DETAIL);
    const request = context.switchToHttp().getRequest<Request>();
    const bearer = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (bearer !== undefined && (await this.#access.matches(bearer))) return true;
    const session = readSessionCookie(request);
    if (session !== undefined && (await this.#access.isSignedIn(session, Date.now()))) return true;
    throw new UnauthorizedException('Sign in to the console first.');
  }
}
