import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Deadline } from '../time/deadline.ts';
import { Slots } from '../time/slots.ts';
import { REAL_TIME, type TimeSource } from '../time/time-source.ts';

/**
 * Time for the clients of keep-alive connections to send one more request and to read that the connection closes. A
 * request that was sent when the server closed the connection would be reset, and its client cannot know whether it was
 * served.
 */
const GRACE_MS = 1_000;

/**
 * Interval of the checks for idle connections while the server closes. The first request of a connection that was just
 * accepted comes sooner.
 */
const IDLE_SWEEP_MS = 250;

/** A turn of the event loop with little to do takes less. */
const SHORT_TURN_MS = 1;
/** Turns in which a server without rest looks for a short one; most take less than a millisecond. */
const MAX_TURNS = 1_000;

/**
 * Closes an HTTP server without a reset of a request. It must never close a connection that a client may still use.
 *
 * States: serving -> announced (each response says `Connection: close`) -> closed.
 */
export class ConnectionDrain {
  readonly #server: Server;
  readonly #time: TimeSource;
  readonly #sockets = new Slots<Socket>();
  readonly #unanswered = new Slots<ServerResponse>();
  #accepted = 0;
  #grace: Promise<void> | null = null;
  #cancelSweep: () => void = () => {};

  /** Watches a server that has no connections yet. */
  constructor(server: Server, time: TimeSource = REAL_TIME) {
    this.#server = server;
    this.#time = time;
    server.on('connection', (socket) => {
      this.#accepted += 1;
      const slot = this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.remove(slot));
    });
    // First, so that no other listener has sent the headers.
    server.prependListener('request', (_: IncomingMessage, response: ServerResponse) => {
      if (this.#grace !== null) response.shouldKeepAlive = false;
      const slot = this.#unanswered.add(response);
      response.once('close', () => this.#unanswered.remove(slot));
    });
  }

  /** From now on each response says `Connection: close`, those to requests in flight too. A second call does nothing. */
  announce(): void {
    if (this.#grace !== null) return;
    for (const response of this.#unanswered.all()) response.shouldKeepAlive = false;
    this.#grace = this.#untilLeft(this.#sockets.all().filter(wasUsed));
  }

  /**
   * Stops accepting once the keep-alive connections from before the announcement are closed, or a second after it. Lets
   * requests in flight end, and closes the others at the deadline.
   */
  async close(deadline: Deadline): Promise<void> {
    this.announce();
    await deadline.wait(this.#grace ?? Promise.resolve());
    await this.#acceptWaiting();
    const isClosed = once(this.#server, 'close');
    // The close() of Node's HTTP server would also cut idle connections (https://github.com/nodejs/node/pull/43522), and the
    // ones accepted right now count as idle (https://github.com/nodejs/node/pull/63470). The spec checks both.
    NetServer.prototype.close.call(this.#server);
    const cancelTimeout = this.#time.startTimer(deadline.leftMs, () => this.#server.closeAllConnections());
    this.#startSweep();
    await isClosed;
    this.#cancelSweep();
    cancelTimeout();
  }

  /**
   * Accepts the connections that the kernel has accepted: it resets those that wait when the listener closes. One turn of
   * the event loop accepts one of them. After a short turn without one, none has come since the loop polled.
   */
  async #acceptWaiting(): Promise<void> {
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      const [accepted, startedAtMs] = [this.#accepted, this.#time.nowMs()];
      await nextTurn();
      if (this.#accepted === accepted && this.#time.nowMs() - startedAtMs < SHORT_TURN_MS) return;
    }
  }

  #startSweep(): void {
    this.#cancelSweep = this.#time.startTimer(IDLE_SWEEP_MS, () => {
      this.#closeIdle();
      this.#startSweep();
    });
  }

  /** Resolves when all sockets are closed, after {@link GRACE_MS} at the latest. */
  async #untilLeft(sockets: readonly Socket[]): Promise<void> {
    const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    await new Promise<void>((resolve) => {
      const cancel = this.#time.startTimer(GRACE_MS, resolve);
      void Promise.all(closed).then(() => {
        cancel();
        resolve();
      });
    });
  }

  /**
   * Closes the connections without a request. `closeIdleConnections` of Node before 26.4 leaves connections that never
   * carried one (https://github.com/nodejs/node/pull/63470), as browsers open them in advance; each would keep the process
   * alive until the drain timeout.
   */
  #closeIdle(): void {
    this.#server.closeIdleConnections();
    for (const socket of this.#sockets.all()) if (!wasUsed(socket)) socket.destroy();
  }
}

/** Returns whether a connection has carried a request, or a part of one. */
function wasUsed({ bytesRead }: Socket): boolean {
  return bytesRead > 0;
}
