import type { IncomingMessage } from 'node:http';
import { originForm } from '../net/request-target.ts';
import { scrubText } from '../scrub/scrub-text.ts';
import { FILTERED } from '../scrub/sensitive-names.ts';
import { validRequestId } from '../telemetry/request-log.ts';

/** What a gateway says about a request that failed behind it. Null and undefined: it says nothing that can be used. */
export interface GatewayRequest {
  /** From 400 to 599. */
  readonly status: number | null;
  /** `Accept` of the client. */
  readonly accept: string | undefined;
  /** `Sec-Fetch-Dest` of the client. */
  readonly destination: string | undefined;
  readonly method: string | null;
  /** Path and query without secrets and fragment. */
  readonly path: string | null;
  readonly service: string;
  /** Without secrets. */
  readonly tags: Readonly<Record<string, string>>;
  readonly requestId: string | null;
  readonly traceId: string | null;
  /** The digest that the backend has given to this failure, and reported itself. */
  readonly digest: string | null;
  readonly retryAfterSeconds: number | null;
}

/** A name of this length fits a digest; real ones have at most 63 characters and a namespace. */
const MAX_SERVICE_LENGTH = 128;
const MAX_PATH_LENGTH = 2_048;
const MAX_TAG_LENGTH = 256;
/** Characters behind a limit that are scrubbed, too: a secret that begins before it may be known by its end. */
const SCRUB_MARGIN = 1_024;
const MAX_RETRY_AFTER_S = 3_600;
const UNKNOWN_SERVICE = 'unknown';

const STATUS = /^[45]\d\d$/;
/** `/503`, the path that a gateway asks for which can send no header. */
const STATUS_PATH = /^\/([45]\d\d)(?:\?|$)/;
const DIGEST = /^[\w-]{1,64}$/;
const SECONDS = /^\d{1,4}$/;
/** A trace id alone (B3), or in `traceparent` or `sentry-trace`. */
const TRACE = /^(?:[\da-f]{2}-)?([\da-f]{32})(?:-|$)/i;
const NO_TRACE = /^0+$/;
/**
 * An authorization code in a query (RFC 6749, section 4.1.2), which a page of a failed sign-in leaves unused. In other texts
 * `code=` is mostly that of an error.
 */
const CODE = /([?&]code=)[^&]+/gi;

/** Headers of traces. The first one comes from the backend's response; Sentry's SDKs go on with `sentry-trace` only. */
const TRACES = ['x-errata-traceparent', 'sentry-trace', 'traceparent', 'x-b3-traceid'];
/** Headers that become tags. */
const TAGS: Readonly<Record<string, string>> = {
  'x-ingress-name': 'ingress',
  'x-errata-upstream': 'upstream',
  'x-errata-cause': 'cause',
  'cf-ray': 'cf-ray',
  'x-amzn-trace-id': 'x-amzn-trace-id',
};

type Read = (name: string) => string | undefined;

/**
 * Reads the headers by which gateways describe a request that failed. It must read no other header: those of the client,
 * `Cookie` and `Authorization` first, arrive beside them.
 */
export function readGatewayRequest(
  request: Pick<IncomingMessage, 'headersDistinct' | 'method' | 'url'>,
): GatewayRequest {
  const read = reader(request.headersDistinct);
  const target = originForm(request.url ?? '');
  const [, inPath] = STATUS_PATH.exec(target) ?? [];
  const status = read('x-code') ?? inPath ?? '';
  const query = inPath === undefined ? undefined : new URLSearchParams(target.slice(target.indexOf('?')));
  const digest = read('x-errata-digest') ?? '';
  return {
    status: STATUS.test(status) ? Number(status) : null,
    accept: read('x-format') ?? read('accept'),
    destination: read('sec-fetch-dest'),
    method: read('x-original-method') ?? (inPath === undefined ? (request.method ?? null) : null),
    path: pathOf(read('x-original-uri') ?? (query === undefined ? target : query.get('url'))),
    service: serviceOf(read),
    tags: tagsOf(read),
    requestId: validRequestId(read('x-request-id')),
    traceId: traceIdOf(read),
    digest: DIGEST.test(digest) ? digest : null,
    retryAfterSeconds: secondsOf(read('retry-after')),
  };
}

/**
 * Returns a function that reads a header. The last value of several counts: Traefik adds its own behind those of the client.
 * One that begins with a brace is a placeholder that Caddy or Traefik did not replace.
 *
 * @see https://github.com/traefik/traefik/blob/v3.7.9/pkg/middlewares/customerrors/custom_errors.go
 */
function reader(headers: IncomingMessage['headersDistinct']): Read {
  return (name) => {
    const value = headers[name]?.at(-1)?.trim() ?? '';
    return value === '' || value.startsWith('{') ? undefined : value;
  };
}

function pathOf(text: string | null): string | null {
  const [target = ''] = originForm(text ?? '').split('#', 1);
  return target.startsWith('/') ? scrubbed(target, MAX_PATH_LENGTH).replace(CODE, `$1${FILTERED}`) : null;
}

function scrubbed(text: string, maxLength: number): string {
  return scrubText(text.slice(0, maxLength + SCRUB_MARGIN)).slice(0, maxLength);
}

/** A stranger can choose the `Host`, but not under which service the operator has set. */
function serviceOf(read: Read): string {
  const [name, namespace] = [read('x-service-name'), read('x-namespace')];
  const host = read('host')?.replace(/:\d*$/, '');
  const named = name === undefined || namespace === undefined ? name : `${namespace}/${name}`;
  return nameIn(named) || nameIn(host) || UNKNOWN_SERVICE;
}

/** Other characters become hyphens: two names of one service would be two issues of one failure. */
function nameIn(text = ''): string {
  const name = text.toLowerCase().replaceAll(/[^a-z\d._/-]+/g, '-');
  return name.replaceAll(/^-+|-+$/g, '').slice(0, MAX_SERVICE_LENGTH);
}

function tagsOf(read: Read): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(TAGS).flatMap(([header, tag]) => {
      const value = read(header);
      return value === undefined ? [] : [[tag, scrubbed(value, MAX_TAG_LENGTH)] as const];
    }),
  );
}

function traceIdOf(read: Read): string | null {
  const ids = TRACES.map((name) => TRACE.exec(read(name) ?? '')?.[1]?.toLowerCase() ?? '');
  return ids.find((id) => id !== '' && !NO_TRACE.test(id)) ?? null;
}

function secondsOf(text = ''): number | null {
  const seconds = SECONDS.test(text) ? Number(text) : 0;
  return seconds >= 1 && seconds <= MAX_RETRY_AFTER_S ? seconds : null;
}
