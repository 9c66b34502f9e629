import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of alerts on loopback. */
export class Receiver {
  readonly received: ReceivedRequest[] = [];
  /** Status of the next responses; null sends none. */
  status: number | null = 204;
  /** Text and further headers of the next responses; `{path}` becomes the path of the request. */
  text = 'stored';
  headers: Readonly<Record<string, string>> = {};
  connections = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        this.received.push({ path: request.url ?? '', headers: request.headers, body });
        this.#server.emit('received');
        if (this.status === null) return;
        response.writeHead(this.status, { location: '/elsewhere', ...this.headers });
        response.end(this.text.replace('{path}', request.url ?? ''));
      });
    });
    this.#server.on('connection', () => (this.connections += 1));
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  next(): Promise<unknown> {
    return once(this.#server, 'received');
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
