import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Problem } from '../contract/problem.ts';
import type { ErrorPages } from '../errors/error-pages.ts';
import { namesHtml } from '../errors/negotiate.ts';

/** Responses to requests that the HTTP server rejects before any route sees them. They never reach Express. */

/** A fault of a request's headers that the parser allows. */
export interface HeaderFault {
  readonly status: 400 | 414 | 431;
  readonly detail: string;
}

const LONG_URL: HeaderFault = { status: 414, detail: 'the URL is too long' };
const LARGE: HeaderFault = { status: 431, detail: 'request headers are too large' };
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
  [LONG_URL.status, LONG_URL.detail],
  [413, 'chunk extensions are too large'],
  [LARGE.status, LARGE.detail],
]);

/** Title and advice of the pages by status. */
const PAGES: ReadonlyMap<number, readonly [title: string, advice: string]> = new Map([
  [LONG_URL.status, ['Address too long', 'Open the site with a shorter address.']],
  // Nearly always cookies are the reason, and the user can remove them.
  [LARGE.status, ['Request headers too large', 'Clear the cookies of this site and reload.']],
]);

const REQUEST_LINE = /^[A-Z]+ (\S+) HTTP\/1\.\d\r\n/;
/**
 * A piece of a request line that comes in several: the first, the last, or one between them. That has no blank in more bytes
 * than the largest cookie of a browser (name and value of 4,096 bytes, RFC 6265bis section 5.6).
 */
const PART_OF_URL = /^(?:[A-Z]+ \S+$|\S* HTTP\/1\.\d\r\n|\S{4200})/;

/** Time for a client to read the 414 or 431 and to close the connection. */
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
  if (bytes >= maxBytes) return url.length > bytes / 2 ? LONG_URL : LARGE;
  return hosts > 1 ? TWO_HOSTS : null;
}

/**
 * Responds to a request whose headers the parser could read: a page to a navigation with large ones or a long URL, problem
 * details to all others.
 */
export function rejectHeaders(
  { status, detail }: HeaderFault,
  request: IncomingMessage,
  response: ServerResponse,
  pages: ErrorPages,
): void {
  const isPage = PAGES.has(status) && isNavigation(request.headers);
  const { headers, body } = responseOf({ status, detail }, isPage, pages);
  response.writeHead(status, { ...headers, Connection: 'close' });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Sockets that got their 414 or 431 and whose remaining bytes are discarded; each further packet is another parser error. */
const LINGERING = new WeakSet<Duplex>();

/**
 * Responds to bytes that Node's parser rejects: malformed, ambiguous (a smuggled second request, two lengths), too large
 * or too slow. Closes the connection, because the start of the next request is unknown.
 */
export function rejectUnparsed(error: Error, socket: Duplex, pages: ErrorPages): void {
  if (LINGERING.has(socket)) return;
  const code = 'code' in error ? String(error.code) : '';
  if (socket.writable && code !== 'ECONNRESET') {
    const piece =
      'rawPacket' in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('latin1') : '';
    const status = statusOf(code, piece);
    const detail = DETAIL.get(status) ?? 'malformed request';
    const isPage = PAGES.has(status) && isNavigationIn(piece);
    const { headers, body } = responseOf({ status, detail }, isPage, pages);
    const lines = Object.entries({ ...headers, Connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
    if (PAGES.has(status)) {
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
  const [title, advice] = PAGES.get(status) ?? [detail];
  const page = isPage ? pages.refusal(status, title, advice) : undefined;
  const body = page?.html ?? problemText(status, detail);
  return {
    body,
    headers: {
      'Content-Type': page === undefined ? 'application/problem+json' : 'text/html; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(page === undefined ? { 'X-Sentry-Error': detail } : { ...page.headers, 'X-Robots-Tag': 'noindex' }),
    },
  };
}

/** Returns problem details that have what clients of the tunnel read of a rejection (protocol H8): `detail` and `causes`. */
function problemText(status: number, detail: string): string {
  const title = STATUS_CODES[status] ?? 'Request Rejected';
  const problem: Problem = { type: 'about:blank', title, status, detail };
  return JSON.stringify({ ...problem, causes: [] });
}

/** Browsers send `Sec-Fetch-Dest` over https and on loopback; over plain http `Accept` has to do. */
function isNavigation({ accept = '', 'sec-fetch-dest': destination }: IncomingHttpHeaders): boolean {
  return destination === undefined ? namesHtml(accept) : destination === 'document';
}

/** Returns the status of the parser's error. @param piece of the request at which the parser gave up. */
function statusOf(code: string, piece: string): number {
  const status = STATUS.get(code) ?? 400;
  if (status !== LARGE.status) return status;
  const url = REQUEST_LINE.exec(piece)?.[1];
  const isLong = url === undefined ? PART_OF_URL.test(piece) : url.length > piece.length / 2;
  return isLong ? LONG_URL.status : status;
}

/**
 * Looks for the headers of a navigation in the piece of the request at which the parser gave up. A network cuts headers of
 * that size into pieces, and a later one has neither of them: nearly always it is of a browser's cookies, so a person waits.
 */
function isNavigationIn(piece: string): boolean {
  const valueOf = (name: string): string | undefined =>
    new RegExp(`^${name}:[ \\t]*([^\\r\\n]*)`, 'im').exec(piece)?.[1]?.trim();
  const accept = valueOf('accept');
  const destination = valueOf('sec-fetch-dest');
  if (accept === undefined && destination === undefined) return !REQUEST_LINE.test(piece);
  return isNavigation({
    ...(accept === undefined ? {} : { accept }),
    ...(destination === undefined ? {} : { 'sec-fetch-dest': destination }),
  });
}
