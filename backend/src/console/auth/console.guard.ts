import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  ForbiddenException,
  HttpException,
  Injectable,
  SetMetadata,
  UnauthorizedException,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Role } from '../../contract/access-api.ts';
import { Sessions } from './sessions.ts';
import { SignInThrottle } from './sign-in-throttle.ts';
import { Audit, type LookUpAction } from './audit.ts';
import { readSessionCookie } from './session-cookie.ts';
import { admit, type Principal, visitorOf } from './principal.ts';

export const CLOSED_DETAIL =
  'The console is closed: set ERRATA_CONSOLE_TOKEN (or ERRATA_CONSOLE_TOKEN_FILE) or OIDC_ISSUER and restart.';

const ROLE = 'errata:role';
const LOOK_UP = 'errata:look-up';

/** What is looked up: by a parameter of the query, of the path, or something there is but one of. */
type LookedUp = { readonly query: string } | { readonly path: string } | { readonly only: string };

interface LookUp {
  readonly action: LookUpAction;
  readonly of: LookedUp;
  /** What kind of thing the parameter names, where that does not show. */
  readonly kind: string | null;
}

/** Which role a route takes; without it support may read (GET, HEAD), and all else is for operators. */
export const ForRole = (role: Role) => SetMetadata(ROLE, role);

/** Has the audit log say who looked up what; see {@link Audit}. A search for nothing is no look-up. */
export const Audited = (action: LookUpAction, of: LookedUp, kind: string | null = null) =>
  SetMetadata(LOOK_UP, { action, of, kind } satisfies LookUp);

/** Parameter of a route: who asks. */
export const Asking = createParamDecorator((_: unknown, context: ExecutionContext): Principal =>
  visitorOf(context.switchToHttp().getRequest<Request>()),
);

/**
 * Lets in signed-in browsers and holders of a token, each to what their role may do. A route that changes something is
 * for operators unless it says otherwise: one that says nothing is closed to support, not open.
 */
@Injectable()
export class ConsoleGuard implements CanActivate {
  readonly #access: Sessions;
  readonly #attempts: SignInThrottle;
  readonly #audit: Audit;
  readonly #reflector: Reflector;

  constructor(access: Sessions, attempts: SignInThrottle, audit: Audit, reflector: Reflector) {
    this.#access = access;
    this.#attempts = attempts;
    this.#audit = audit;
    this.#reflector = reflector;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (!this.#access.isOpen) throw new ForbiddenException(CLOSED_DETAIL);
    const request = context.switchToHttp().getRequest<Request>();
    const visitor =
      (await this.#bearer(request, context.switchToHttp().getResponse<Response>())) ??
      (await this.#session(request));
    if (visitor === undefined) throw new UnauthorizedException('Sign in to the console first.');
    const role = this.#reflector.get<Role | undefined>(ROLE, context.getHandler()) ?? roleFor(request);
    if (role === 'operator' && visitor.role !== 'operator')
      throw new ForbiddenException('This needs the role operator; you are signed in as support.');
    admit(request, visitor);
    const lookUp = this.#reflector.get<LookUp | undefined>(LOOK_UP, context.getHandler());
    if (lookUp !== undefined) this.#noteLookUp(visitor, lookUp, request);
    return true;
  }

  #noteLookUp(visitor: Principal, { action, of, kind }: LookUp, request: Request): void {
    const target = targetOf(of, request);
    if (typeof target !== 'string' || target.trim() === '') return;
    this.#audit.lookedUp(visitor, { action, target: kind === null ? target : `${kind} ${target}` });
  }

  /** A guess counts as an attempt to sign in (S18). */
  async #bearer(request: Request, response: Response): Promise<Principal | undefined> {
    const token = /^Bearer (\S{1,512})$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) return undefined;
    const attemptsMs = this.#access.isKnown(token) ? 0 : this.#attempts.waitMs(request.ip ?? '');
    const waitMs = attemptsMs > 0 ? attemptsMs : this.#access.busyMs(token);
    if (waitMs > 0) throw tooMany(response, waitMs);
    return this.#access.bearer(token);
  }

  async #session(request: Request): Promise<Principal | undefined> {
    const session = readSessionCookie(request);
    return session === undefined ? undefined : this.#access.visitor(session, Date.now());
  }
}

export function tooMany(response: Response, waitMs: number): HttpException {
  response.set('Retry-After', String(Math.ceil(waitMs / 1_000)));
  return new HttpException('Too many attempts; try again later.', 429);
}

function roleFor({ method }: Request): Role {
  return method === 'GET' || method === 'HEAD' ? 'support' : 'operator';
}

/** Only from where the route itself takes it: else whoever asks could have another target written down. */
function targetOf(of: LookedUp, { query, params }: Request): unknown {
  if ('only' in of) return of.only;
  return 'query' in of ? query[of.query] : params[of.path];
}
