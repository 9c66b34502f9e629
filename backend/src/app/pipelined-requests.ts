import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Requests of a connection that may wait for the one before them. Browsers and common proxies send the next request after the
 * response; a client that sends more than this ahead loses its connection.
 */
const MAX_WAITING = 32;

/**
 * Serves the requests of a connection one after the other.
 *
 * Node announces all requests that a client has sent without waiting (RFC 9112, section 9.3.2) at once. Each would open its
 * file or render its page, while only the first response has the connection. When it closes, the others get no event: 24 KB
 * of requests left 400 files open for good.
 *
 * While one waits, no more is read from its connection: no limit counts the bodies of requests that have not begun. Node reads
 * on when the next one begins.
 */
export function oneAtATime(serve: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const queue = waiting.get(socket);
    if (queue === undefined) {
      waiting.set(socket, []);
      begin(request, response);
    } else if (queue.length < MAX_WAITING) {
      queue.push(() => begin(request, response));
      socket.pause();
    } else socket.destroy();
  };

  function begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    response.once('close', () => {
      const next = waiting.get(socket)?.shift();
      if (next === undefined || socket.destroyed) waiting.delete(socket);
      else next();
    });
    serve(request, response);
  }
}
