import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Requests of a connection that may wait for the one before them. Browsers and common proxies send the next request after the
 * response; a client that sends more than this ahead loses its connection.
 */
const MAX_WAITING = 32;
/** Bytes that a client may have sent behind the first request that waits: two reads. With more it loses its connection, too. */
const MAX_READ_AHEAD = 128 * 1024;

/** A request that waits, and the bytes that were read from its connection when it came. */
interface Waiting {
  readonly begin: () => void;
  readonly readBytes: number;
}

/**
 * Serves the requests of a connection one after the other.
 *
 * Node announces all requests that a client has sent without waiting (RFC 9112, section 9.3.2) at once. Each would open its
 * file or render its page, while only the first response has the connection. When it closes, the others get no event: 24 KB
 * of requests left 400 files open for good.
 *
 * No limit counts the bodies of requests that have not begun. So a connection is paused when a request waits, and ended when too
 * much comes all the same: Node reads on at the end of each request, and while the body before it is read. To stop it for good
 * would hide that the client disconnects.
 */
export function oneAtATime(serve: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, Waiting[]>();
  return (request, response) => {
    const { socket } = request;
    const { bytesRead: readBytes } = socket;
    const queue = waiting.get(socket);
    if (queue === undefined) {
      waiting.set(socket, []);
      begin(request, response);
    } else if (
      queue.length < MAX_WAITING &&
      readBytes - (queue[0]?.readBytes ?? readBytes) <= MAX_READ_AHEAD
    ) {
      queue.push({ begin: () => begin(request, response), readBytes });
      socket.pause();
    } else socket.destroy();
  };

  function begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    response.once('close', () => {
      const next = waiting.get(socket)?.shift();
      if (next === undefined || socket.destroyed) waiting.delete(socket);
      else next.begin();
    });
    serve(request, response);
  }
}
