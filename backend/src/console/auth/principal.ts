import type { Request } from 'express';
import type { Role, SessionWay } from '../../contract/access-api.ts';

/** Whoever a request of the console comes from, as the guard has made sure. */
export interface Principal {
  /** A name for people, and the audit log's. */
  readonly who: string;
  readonly role: Role;
  /** Null for a bearer token, which has no session. */
  readonly session: { readonly id: string; readonly way: SessionWay } | null;
}

/** Beside the requests and not on them: nothing that came with a request can be taken for it. */
const VISITORS = new WeakMap<Request, Principal>();

export function admit(request: Request, visitor: Principal): void {
  VISITORS.set(request, visitor);
}

/** @throws on a route without the console's guard: a bug of ours. */
export function visitorOf(request: Request): Principal {
  const visitor = VISITORS.get(request);
  if (visitor === undefined) throw new Error('the route has no console guard');
  return visitor;
}
