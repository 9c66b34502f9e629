import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

/** Status line of an interim response up to its status. After a 101 the connection has another protocol: undici ends it. */
const INTERIM = /^HTTP\/1\.1 1(?!01)\d\d/;
const EXAMPLE = 'HTTP/1.1 100';
const HEADERS_END = '\r\n\r\n';
/** undici's limit for the headers of a response. */
const MAX_HEADERS_BYTES = 16 * 1024;

/**
 * Returns a connector for undici whose connections skip interim responses: a server may send one unasked, and a client has to
 * parse it (RFC 9110, 15.2). undici ends the connection at a `100 Continue`. The server has the request by then, and would
 * get it again with each further try.
 */
export function connectorOf(options: buildConnector.BuildOptions): buildConnector.connector {
  return withoutInterim(buildConnector(options));
}

/** Returns a connector whose connections skip interim responses, too. */
export function withoutInterim(connect: buildConnector.connector): buildConnector.connector {
  return (target, callback) =>
    connect(target, (...result) => {
      if (result[0] === null) skipInterim(result[1]);
      callback(...result);
    });
}

/**
 * Removes interim responses from what undici reads of a connection. It sends one request at a time: a response begins with
 * the first bytes behind a request. They may come in any parts, so that a part which can become an interim response is held.
 */
function skipInterim(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  let held: Buffer | undefined;
  /** Bytes that were sent before the response that is read. */
  let sentBefore = 0;
  socket.read = (size) => {
    for (let chunk = read(size); chunk !== null; chunk = read(size)) {
      if (socket.bytesWritten === sentBefore) return chunk;
      const rest = afterInterim(held === undefined ? chunk : Buffer.concat([held, chunk]));
      held = rest.length <= MAX_HEADERS_BYTES && mayBeInterim(rest) ? rest : undefined;
      if (held !== undefined) continue;
      sentBefore = socket.bytesWritten;
      return rest;
    }
    return null;
  };
}

/** Returns the bytes behind all whole interim responses. */
function afterInterim(bytes: Buffer): Buffer {
  let rest = bytes;
  while (mayBeInterim(rest)) {
    const end = rest.indexOf(HEADERS_END);
    if (end === -1) break;
    rest = rest.subarray(end + HEADERS_END.length);
  }
  return rest;
}

/** Whether bytes begin an interim response, or could with further ones. */
function mayBeInterim(bytes: Buffer): boolean {
  // Nearly all responses end with the first comparison: they have another digit there.
  if (bytes.length >= EXAMPLE.length && bytes[EXAMPLE.length - 3] !== 0x31) return false;
  const start = bytes.toString('latin1', 0, EXAMPLE.length);
  return INTERIM.test(start + EXAMPLE.slice(start.length));
}
