import type { NodemailerError } from 'nodemailer';
import type { AlertMessage, AlertOutcome, AlertTransport } from './alert-channel.ts';
import { mailOf, printable } from './alert-message.ts';
import type { SmtpAddress } from './mail-transport.ts';

interface MailAddresses {
  readonly from: string;
  readonly to: readonly string[];
}

const MAX_DETAIL_LENGTH = 200;

/**
 * Sends messages as mail. It has no guard of addresses and no proxy: the mail server is usually a private host that the
 * operator runs.
 */
export class MailClient implements AlertTransport {
  readonly #server: SmtpAddress;
  readonly #addresses: MailAddresses;
  readonly #closing = new AbortController();

  constructor(server: SmtpAddress, addresses: MailAddresses) {
    this.#server = server;
    this.#addresses = addresses;
  }

  /** Sends one mail. It counts as accepted if the server takes it for one of several recipients: a retry would repeat it for that one. */
  async send({ deliveryId, body }: AlertMessage, nowMs: number, timeoutMs: number): Promise<AlertOutcome> {
    const { from, to } = this.#addresses;
    try {
      const { openMailTransport } = await import('./mail-transport.ts');
      const { response } = await openMailTransport(this.#server).sendMail({
        ...mailOf(body),
        from: { name: 'Errata', address: from },
        to: [...to],
        date: new Date(nowMs),
        // The same at each attempt, so that a mailbox recognises a repeat.
        messageId: `<${deliveryId}@${from.slice(from.lastIndexOf('@') + 1)}>`,
        // No answer of a program that is on holiday (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
        textEncoding: 'quoted-printable',
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#closing.signal]),
      });
      return { isAccepted: true, detail: this.#safe(response ?? '') };
    } catch (cause) {
      const error = cause as NodemailerError;
      const detail = this.#safe(error.response ?? '');
      return { isAccepted: false, reason: reasonOf(error), detail, retryAfterMs: null };
    }
  }

  /** Aborts mails in flight. */
  close(): Promise<void> {
    this.#closing.abort();
    return Promise.resolve();
  }

  /** Returns the part of a response that a person may read: it may quote a recipient or the login. */
  #safe(text: string): string | null {
    const secrets = [...secretsOf(this.#server), ...this.#addresses.to];
    const safe = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[Filtered]'), text);
    return printable(safe, MAX_DETAIL_LENGTH) || null;
  }
}

/** Returns the password in the forms in which it goes out. */
function secretsOf({ login }: SmtpAddress): readonly string[] {
  if (login === null) return [];
  const { user, password } = login;
  return [
    password,
    ...[`\0${user}\0${password}`, password].map((text) => Buffer.from(text).toString('base64')),
  ];
}

/** Returns a code for the log: `smtp_535` where the server has responded. */
function reasonOf({ cause, responseCode, originalCode, code, name }: NodemailerError): string {
  if ((cause as Error | undefined)?.name === 'TimeoutError') return 'timeout';
  // A server without STARTTLS answers it with some code.
  const isReply = responseCode !== undefined && code !== 'ETLS';
  return isReply ? `smtp_${responseCode}` : (originalCode ?? code ?? name);
}
