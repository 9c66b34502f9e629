import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** The fault of a connection. */
export type Mode =
  | { readonly kind: 'pass' }
  /** No process listens. */
  | { readonly kind: 'refuse' }
  /** Accepted and reset immediately. */
  | { readonly kind: 'reset' }
  /** Accepted; no byte passes in either direction. */
  | { readonly kind: 'hang' }
  /** Reset after this number of bytes from the client. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  | { readonly kind: 'delay'; readonly ms: number };

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  fromClient: number;
}

/** A TCP proxy between Errata and an upstream or a database, which causes faults of the network. */
export class FaultProxy {
  /** Times at which the connections were opened, by the monotonic clock, in ms. */
  readonly attemptsAtMs: number[] = [];
  readonly #listener: Server;
  readonly #target: number | string;
  readonly #links = new Set<Link>();
  #mode: Mode = { kind: 'pass' };
  #port = 0;

  /** @param target a port of this machine, or the path of a Unix socket. */
  constructor(target: number | string) {
    this.#target = target;
    this.#listener = createServer({ allowHalfOpen: true }, (client) => this.#accept(client));
  }

  get port(): number {
    return this.#port;
  }

  async up(): Promise<void> {
    this.#listener.listen(this.#port, '127.0.0.1');
    await once(this.#listener, 'listening');
    this.#port = (this.#listener.address() as AddressInfo).port;
  }

  /** Changes the fault, also for open connections; `refuse` and `reset` close them. */
  async become(mode: Mode): Promise<void> {
    this.#mode = mode;
    if (mode.kind === 'refuse' || mode.kind === 'reset') this.#resetAll();
    for (const { client, server } of this.#links) {
      for (const socket of [client, server]) {
        if (mode.kind === 'hang') socket.pause();
        else socket.resume();
      }
    }
    if (mode.kind === 'refuse') await this.close();
    else if (!this.#listener.listening) await this.up();
  }

  async close(): Promise<void> {
    if (!this.#listener.listening) return;
    const closed = once(this.#listener, 'close');
    this.#listener.close();
    this.#resetAll();
    await closed;
  }

  #address(): { readonly port: number; readonly host: string } | { readonly path: string } {
    return typeof this.#target === 'number'
      ? { port: this.#target, host: '127.0.0.1' }
      : { path: this.#target };
  }

  #accept(client: Socket): void {
    this.attemptsAtMs.push(performance.now());
    if (this.#mode.kind === 'reset') {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ ...this.#address(), allowHalfOpen: true });
    const link: Link = { client, server, fromClient: 0 };
    this.#links.add(link);
    this.#forward(link, client, server);
    this.#forward(link, server, client);
    if (this.#mode.kind === 'hang') for (const socket of [client, server]) socket.pause();
  }

  #forward(link: Link, from: Socket, to: Socket): void {
    const end = (): void => this.#reset(link);
    from.on('error', end);
    from.on('close', end);
    from.on('end', () => to.end());
    from.on('data', (chunk: Buffer) => {
      if (from === link.client) link.fromClient += chunk.length;
      if (this.#mode.kind === 'cut' && link.fromClient >= this.#mode.afterBytes) end();
      else if (this.#mode.kind === 'delay') setTimeout(() => to.write(chunk), this.#mode.ms);
      else to.write(chunk);
    });
  }

  #reset(link: Link): void {
    this.#links.delete(link);
    for (const socket of [link.client, link.server]) {
      if (socket.destroyed) continue;
      // A Unix socket knows no reset.
      if (socket === link.server && typeof this.#target === 'string') socket.destroy();
      else socket.resetAndDestroy();
    }
  }

  #resetAll(): void {
    for (const link of this.#links) this.#reset(link);
  }
}
