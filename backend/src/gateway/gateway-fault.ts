import { type Digest, digestOf } from '../digest/digest.ts';
import { routeTemplate } from '../digest/route-template.ts';

/** Class of the error that stands for a page of a gateway. */
const TYPE = 'GatewayFailure';
const UNREACHABLE: ReadonlySet<number> = new Set([502, 503]);
const TIMEOUT = 504;

/** A failure behind a gateway: its digest, and the title of its issue. */
export interface GatewayFault {
  readonly digest: Digest;
  readonly title: string;
}

/** Returns the route by which failures of a service differ: none where the service is away, which is one fault. */
export function faultRoute(status: number, path: string | null): string | null {
  return path === null || UNREACHABLE.has(status) ? null : routeTemplate(path);
}

/** Returns the fault of a page. @param route that of {@link faultRoute}. */
export function gatewayFault(status: number, service: string, route: string | null): GatewayFault {
  const [kind, text] = UNREACHABLE.has(status)
    ? ['unreachable', 'is unreachable']
    : status === TIMEOUT
      ? ['timeout', 'timed out']
      : ['error', 'failed'];
  const fault = { type: TYPE, code: `${kind}:${service}`, message: '', frames: [], cause: null };
  return {
    digest: digestOf({ ...fault, members: [], ownDigest: null }, { route }),
    title: `${TYPE}: ${service} ${text}${route === null ? '' : ` at ${route}`}`,
  };
}
