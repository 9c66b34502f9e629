import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { EgressProxy } from './outgoing.ts';

/** No proxy. */
export const DIRECT: EgressProxy = { httpsProxy: null, httpProxy: null, noProxy: '' };

/** A proxy on loopback that makes tunnels (CONNECT), and answers no other request. */
export class Proxy {
  /** Target of each CONNECT. */
  readonly connects: string[] = [];
  /** `Proxy-Authorization` of each. */
  readonly credentials: (string | undefined)[] = [];
  /** Tunnels are made with 200; any other status refuses them, null closes the connection, undefined never answers. */
  status: number | null | undefined = 200;
  /** Sent behind the response to CONNECT, before bytes of the target. */
  early = '';
  readonly #server: Server;

  private constructor() {
    this.#server = createServer().on('connect', (request, socket) => this.#tunnel(request, socket as Socket));
  }

  /** @param port that of an earlier proxy, to come back. */
  static async start(port = 0): Promise<Proxy> {
    const proxy = new Proxy();
    proxy.#server.listen(port, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Settings that send everything through it. */
  get settings(): EgressProxy {
    return { ...DIRECT, httpProxy: `http://127.0.0.1:${this.port}` };
  }

  next(): Promise<unknown> {
    return once(this.#server, 'connect');
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    for (const socket of this.#tunnels) socket.destroy();
    await once(this.#server, 'close');
  }

  readonly #tunnels = new Set<Socket>();

  #tunnel({ url = '', headers }: IncomingMessage, socket: Socket): void {
    this.connects.push(url);
    this.credentials.push(headers['proxy-authorization']);
    this.#tunnels.add(socket.on('error', () => undefined));
    if (this.status === undefined) return;
    if (this.status === null) socket.destroy();
    else if (this.status !== 200) socket.end(`HTTP/1.1 ${this.status} Refused\r\nContent-Length: 0\r\n\r\n`);
    else {
      const { hostname, port } = new URL(`http://${url}`);
      const target = connect(Number(port === '' ? 80 : port), hostname, () => {
        socket.write(`HTTP/1.1 200 Connection Established\r\n\r\n${this.early}`);
        target.pipe(socket).pipe(target);
      });
      target.on('error', () => socket.destroy());
      socket.on('close', () => target.destroy());
      this.#tunnels.add(target);
    }
  }
}
