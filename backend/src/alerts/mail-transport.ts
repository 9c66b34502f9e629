import { createTransport, type Transporter } from 'nodemailer';

/** A mail server, as the settings have it. */
export interface SmtpAddress {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. */
  readonly isSecure: boolean;
  /** TLS before all else, by STARTTLS. */
  readonly requiresTls: boolean;
  readonly login: { readonly user: string; readonly password: string } | null;
}

/**
 * Opens the way to a mail server, with a connection for each mail. It is a module of its own, which is imported for the first mail:
 * the library needs memory that a process without mail saves.
 */
export function openMailTransport({ host, port, isSecure, requiresTls, login }: SmtpAddress): Transporter {
  return createTransport({
    host,
    port,
    secure: isSecure,
    // As a second argument it has no effect, and the password goes out in clear text.
    requireTLS: requiresTls,
    // Without a password TLS is only an offer of the server, which an attacker could remove, too. Servers in the network of a
    // company make it with certificates of their own.
    tls: { rejectUnauthorized: isSecure || requiresTls },
    ...(login !== null && { auth: { user: login.user, pass: login.password } }),
  });
}
