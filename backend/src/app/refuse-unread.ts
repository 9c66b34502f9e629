import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorBody } from '../tunnel/response.ts';

/** Statuses of what Node's parser gives up on, by its code; everything else is a malformed request. */
const STATUS: ReadonlyMap<string, number> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
]);
const DETAIL: ReadonlyMap<number, string> = new Map([
  [408, 'the request came too slowly'],
  [413, 'chunk extensions are too large'],
  [431, 'request headers are too large'],
]);

/**
 * Answers a request that never became one: broken, ambiguous (a smuggled second request, two lengths) or too slow,
 * and closes the connection, since nobody knows where the next request would begin.
 */
export function refuseUnread(error: Error, socket: Duplex): void {
  const code = 'code' in error ? String(error.code) : '';
  if (socket.writable && code !== 'ECONNRESET') {
    const status = STATUS.get(code) ?? 400;
    const detail = DETAIL.get(status) ?? 'malformed request';
    const body = errorBody(detail);
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      `X-Sentry-Error: ${detail}`,
      'Connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  }
  // The error stays on the socket and tells whoever reads the body why it ends.
  socket.destroy(error);
}
