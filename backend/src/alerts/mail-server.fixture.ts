import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail server on loopback. */
export class MailServer {
  /** Mails as they came, without the encoding of their text. */
  readonly received: string[] = [];
  /** What clients have sent in clear text. */
  wire = '';
  readonly #server: SMTPServer;

  private constructor(options: SMTPServerOptions) {
    this.#server = new SMTPServer({
      // false: no warning about the certificate of the library.
      logger: false,
      disableReverseLookup: true,
      authOptional: true,
      closeTimeout: 1,
      onData: (stream, _session, callback) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          this.received.push(decoded(Buffer.concat(chunks).toString()));
          callback();
        });
      },
      ...options,
    });
    // A client that refuses the certificate closes the connection, which is no failure of a test.
    this.#server.on('error', () => undefined);
    this.#server.server.on('connection', (socket) => {
      socket.on('data', (chunk) => (this.wire += chunk.toString()));
    });
  }

  static async start(options: SMTPServerOptions = {}): Promise<MailServer> {
    const server = new MailServer(options);
    await once(server.#server.listen(0, '127.0.0.1'), 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Decodes quoted-printable (RFC 2045, 6.7). */
function decoded(mail: string): string {
  const bytes = mail
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
