import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorPages } from '../errors/error-pages.ts';
import { namesHtml } from '../errors/negotiate.ts';
import { errorBody } from '../tunnel/response.ts';

/** Responses to requests that the HTTP server rejects before any route sees them. They never reach Express. */

/** A fault of a request's headers that the parser allows. */
export interface HeaderFault {
  readonly status: 400 | 431;
  readonly detail: string;
}

const TOO_LARGE = 431;
const LARGE: HeaderFault = { status: TOO_LARGE, detail: 'request headers are too large' };
const TWO_HOSTS: HeaderFault = { status: 400, detail: 'more than one Host header' };
const HOST = 'host';

/** Statuses by the error code of Node's parser; every other code is a malformed request. */
const STATUS: ReadonlyMap<string, number> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
]);
const DETAIL: ReadonlyMap<number, string> = new Map([
  [408, 'the request came too slowly'],
  [413, 'chunk extensions are too large'],
  [LARGE.status, LARGE.detail],
]);

const TOO_LARGE_TITLE = 'Request headers too large';
/** Nearly always cookies are the reason, and the user can remove them. */
const TOO_LARGE_ADVICE = 'Clear the cookies of this site and reload.';

const REQUEST_LINE = /^[A-Z]+ \S+ HTTP\/1\.\d\r\n/;

/** Time for a client to read the 431 and to close the connection. */
const LINGER_MS = 2_000;

interface WholeResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Returns the fault of a request's headers, or null. Node joins or drops headers that are sent twice, so a second Host is
 * seen only in the raw ones; the proxy in front may have routed by the other (RFC 9112, section 3.2).
 *
 * @param maxBytes size that is too large, as Node's parser counts it: the path, and the names and values.
 */
export function headerFault({ url = '', rawHeaders }: IncomingMessage, maxBytes: number): HeaderFault | null {
  let bytes = url.length;
  let hosts = 0;
  for (const [index, text] of rawHeaders.entries()) {
    bytes += text.length;
    // Names are at even positions, values behind them.
    if (index % 2 === 0 && text.length === HOST.length && text.toLowerCase() === HOST) hosts += 1;
  }
  if (bytes >= maxBytes) return LARGE;
  return hosts > 1 ? TWO_HOSTS : null;
}

/** Responds to a request whose headers the parser could read: a page to a navigation with large ones, JSON to all others. */
export function rejectHeaders(
  { status, detail }: HeaderFault,
  request: IncomingMessage,
  response: ServerResponse,
  pages: ErrorPages,
): void {
  const isPage = status === TOO_LARGE && isNavigation(request.headers);
  const { headers, body } = responseOf({ status, detail }, isPage, pages);
  response.writeHead(status, { ...headers, Connection: 'close' });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Sockets that got their 431 and whose remaining bytes are discarded; each further packet is another parser error. */
const LINGERING = new WeakSet<Duplex>();

/**
 * Responds to bytes that Node's parser rejects: malformed, ambiguous (a smuggled second request, two lengths), too large
 * or too slow. Closes the connection, because the start of the next request is unknown.
 */
export function rejectUnparsed(error: Error, socket: Duplex, pages: ErrorPages): void {
  if (LINGERING.has(socket)) return;
  const code = 'code' in error ? String(error.code) : '';
  if (socket.writable && code !== 'ECONNRESET') {
    const status = STATUS.get(code) ?? 400;
    const detail = DETAIL.get(status) ?? 'malformed request';
    const isPage = status === TOO_LARGE && isNavigationIn(error);
    const { headers, body } = responseOf({ status, detail }, isPage, pages);
    const lines = Object.entries({ ...headers, Connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
    if (status === TOO_LARGE) {
      linger(socket, text);
      return;
    }
    socket.write(text);
  }
  // The reader of the body gets the error from the socket as the reason of the end.
  socket.destroy(error);
}

/**
 * Sends the response and discards the rest of the headers. Closing while they still come would reset the connection, and
 * the browser would show its own error instead of the page (RFC 9112, section 9.6).
 */
function linger(socket: Duplex, text: string): void {
  LINGERING.add(socket);
  socket.end(text);
  const late = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(late));
}

function responseOf(
  { status, detail }: { readonly status: number; readonly detail: string },
  isPage: boolean,
  pages: ErrorPages,
): WholeResponse {
  const page = isPage ? pages.refusal(status, TOO_LARGE_TITLE, TOO_LARGE_ADVICE) : undefined;
  const body = page?.html ?? errorBody(detail);
  return {
    body,
    headers: {
      'Content-Type': page === undefined ? 'application/json' : 'text/html; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(page === undefined ? { 'X-Sentry-Error': detail } : { ...page.headers, 'X-Robots-Tag': 'noindex' }),
    },
  };
}

/** Browsers send `Sec-Fetch-Dest` over https and on loopback; over plain http `Accept` has to do. */
function isNavigation({ accept = '', 'sec-fetch-dest': destination }: IncomingHttpHeaders): boolean {
  return destination === undefined ? namesHtml(accept) : destination === 'document';
}

/**
 * Looks for the headers of a navigation in the piece of the request at which the parser gave up. A network cuts headers of
 * that size into pieces, and a later one has neither of them: nearly always it is of a browser's cookies, so a person waits.
 */
function isNavigationIn(error: Error): boolean {
  if (!('rawPacket' in error) || !Buffer.isBuffer(error.rawPacket)) return false;
  const text = error.rawPacket.toString('latin1');
  const valueOf = (name: string): string | undefined =>
    new RegExp(`^${name}:[ \\t]*([^\\r\\n]*)`, 'im').exec(text)?.[1]?.trim();
  const accept = valueOf('accept');
  const destination = valueOf('sec-fetch-dest');
  if (accept === undefined && destination === undefined) return !REQUEST_LINE.test(text);
  return isNavigation({
    ...(accept === undefined ? {} : { accept }),
    ...(destination === undefined ? {} : { 'sec-fetch-dest': destination }),
  });
}
