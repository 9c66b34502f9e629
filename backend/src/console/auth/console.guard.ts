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
import type { ReadAction, Role } from '../../contract/access-api.ts';
import { Audit } from './audit.ts';
import { type Principal, principalOf, setPrincipal } from './principal.ts';
import { readSessionCookie } from './session-cookie.ts';
import { Sessions } from './sessions.ts';
import { SignInRecord } from './sign-in-record.ts';
import { SignInThrottle } from './sign-in-throttle.ts';

export const CLOSED_DETAIL =
  'The console is closed. Set ERRATA_CONSOLE_TOKEN (or ERRATA_CONSOLE_TOKEN_FILE) or OIDC_ISSUER and restart.';

const ROLE = 'errata:role';
const READ = 'errata:read';
const POLLED = 'errata:polled';

/** Source of the audit log's target: a parameter of the query or of the path, or a fixed name. */
type TargetSource = { readonly query: string } | { readonly path: string } | { readonly only: string };

interface AuditedRead {
  readonly action: ReadAction;
  readonly of: TargetSource;
  /** Word in front of the target, when the target alone does not show its kind. */
  readonly kind: string | null;
}

/** Sets the role that a route requires. Without it support may read (GET, HEAD), and operators may do everything. */
export const ForRole = (role: Role) => SetMetadata(ROLE, role);

/** Writes each call of a route into the audit log; see {@link Audit}. An empty search is not recorded. */
export const Audited = (action: ReadAction, of: TargetSource, kind: string | null = null) =>
  SetMetadata(READ, { action, of, kind } satisfies AuditedRead);

/** Marks a route that an open page calls without end: a call is no use of the session and no new read. */
export const Polled = () => SetMetadata(POLLED, true);

/** Passes the principal of the request to a parameter of a route. */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): Principal =>
  principalOf(context.switchToHttp().getRequest<Request>()),
);

/**
 * Admits signed-in browsers and holders of a token, each with the rights of its role. A route that changes something
 * requires role operator unless it says otherwise: a forgotten decorator closes the route to support.
 */
@Injectable()
export class ConsoleGuard implements CanActivate {
  readonly #sessions: Sessions;
  readonly #throttle: SignInThrottle;
  readonly #audit: Audit;
  readonly #record: SignInRecord;
  readonly #reflector = new Reflector();

  constructor(sessions: Sessions, throttle: SignInThrottle, audit: Audit, record: SignInRecord) {
    this.#sessions = sessions;
    this.#throttle = throttle;
    this.#audit = audit;
    this.#record = record;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (!this.#sessions.isOpen) throw new ForbiddenException(CLOSED_DETAIL);
    const request = context.switchToHttp().getRequest<Request>();
    const isPolled = this.#reflector.get<true | undefined>(POLLED, context.getHandler()) ?? false;
    const principal =
      (await this.#bearer(request, context.switchToHttp().getResponse<Response>())) ??
      (await this.#session(request, isPolled));
    if (principal === undefined) throw new UnauthorizedException('Sign in to the console first.');
    const role = this.#reflector.get<Role | undefined>(ROLE, context.getHandler()) ?? roleFor(request);
    if (role === 'operator' && principal.role !== 'operator')
      throw new ForbiddenException('Requires role operator; you have role support.');
    setPrincipal(request, principal);
    const read = this.#reflector.get<AuditedRead | undefined>(READ, context.getHandler());
    if (read !== undefined) this.#recordRead(principal, read, request, isPolled);
    return true;
  }

  #recordRead(
    principal: Principal,
    { action, of, kind }: AuditedRead,
    request: Request,
    isPolled: boolean,
  ): void {
    const target = targetOf(of, request);
    if (typeof target !== 'string' || target.trim() === '') return;
    const named = kind === null ? target : `${kind} ${target}`;
    this.#audit.hasRead(principal, { action, target: named }, isPolled);
  }

  /** Checks a bearer token. A wrong one counts as a failed sign-in, against guessing (threat S7). */
  async #bearer(request: Request, response: Response): Promise<Principal | undefined> {
    const token = /^Bearer (\S{1,512})$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) return undefined;
    const address = request.ip ?? '';
    const waitMs = tokenWaitMs(this.#sessions, this.#throttle, token, address);
    if (waitMs > 0) {
      this.#record.add('limited', address);
      throw tooMany(response, waitMs);
    }
    const principal = await this.#sessions.bearer(token, address);
    if (principal === undefined) {
      this.#throttle.failed(address);
      this.#record.add('wrong', address);
    }
    return principal;
  }

  async #session(request: Request, isPolled: boolean): Promise<Principal | undefined> {
    const token = readSessionCookie(request);
    return token === undefined ? undefined : this.#sessions.principal(token, Date.now(), !isPolled);
  }
}

/** Returns how long a client must wait before its token is checked; 0 from a network where it was right before. */
export function tokenWaitMs(
  sessions: Sessions,
  throttle: SignInThrottle,
  token: string,
  address: string,
): number {
  if (sessions.isKnown(token, address)) return 0;
  return Math.max(throttle.guessWaitMs(address), sessions.busyMs);
}

export function tooMany(response: Response, waitMs: number): HttpException {
  response.set('Retry-After', String(Math.ceil(waitMs / 1_000)));
  return new HttpException('Too many attempts. Wait a minute and try again.', 429);
}

function roleFor({ method }: Request): Role {
  return method === 'GET' || method === 'HEAD' ? 'support' : 'operator';
}

/** Reads the target from the place where the route reads it, so that a client cannot record another target. */
function targetOf(of: TargetSource, { query, params }: Request): unknown {
  if ('only' in of) return of.only;
  return 'query' in of ? query[of.query] : params[of.path];
}
