import type { Request } from 'express';
import type { Role, SessionWay } from '../../contract/access-api.ts';

/** The user or the holder of a token behind a request, as the guard has authenticated it. */
export interface Principal {
  /** Name for people, shown in the audit log. */
  readonly who: string;
  readonly role: Role;
  /** Null for a bearer token, which has no session. */
  readonly session: { readonly id: string; readonly way: SessionWay } | null;
}

/** Kept beside the requests and not on them, so that no part of a request can pass for a principal. */
const PRINCIPALS = new WeakMap<Request, Principal>();

export function setPrincipal(request: Request, principal: Principal): void {
  PRINCIPALS.set(request, principal);
}

/** Returns the principal of a request. @throws Error on a route without the console's guard, which is a bug. */
export function principalOf(request: Request): Principal {
  const principal = PRINCIPALS.get(request);
  if (principal === undefined) throw new Error('the route has no console guard');
  return principal;
}
