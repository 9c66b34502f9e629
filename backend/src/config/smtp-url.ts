import { z } from 'zod';
import { isDecodable, isLoopbackHost } from './value-types.ts';

/** The mail server of ERRATA_SMTP_URL. */
export interface SmtpSetting {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (smtps). */
  readonly isSecure: boolean;
  /** STARTTLS before all else: a password must not cross a network in clear text. */
  readonly requiresTls: boolean;
  readonly login: { readonly user: string; readonly password: string } | null;
  /** Sender; null where the URL names none. */
  readonly from: string | null;
}

const EXAMPLE = 'smtps://user:password@mail.example:465?from=errata@example.com';
const PORTS: Readonly<Record<string, number>> = { 'smtps:': 465, 'smtp:': 587 };
const FROM = /^(?:\?from=([^&]+))?$/;

/** A mail server. The message quotes nothing, because the URL has a password. */
export const smtpUrl = z.string().transform((text, context): SmtpSetting => {
  const setting = readSmtpUrl(text);
  if (setting !== null) return setting;
  context.addIssue({ code: 'custom', message: `expected an address such as ${EXAMPLE}` });
  return z.NEVER;
});

function readSmtpUrl(text: string): SmtpSetting | null {
  const url = isDecodable(text) ? URL.parse(text) : null;
  const query = FROM.exec(url?.search ?? '');
  if (url === null || query === null || !/^\/?$/.test(url.pathname) || url.hash !== '') return null;
  const defaultPort = PORTS[url.protocol];
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const from = query[1] === undefined ? null : decodeURIComponent(query[1]);
  if (defaultPort === undefined || url.hostname === '' || (user === '') !== (password === '')) return null;
  if (from !== null && !isMailAddress(from)) return null;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? defaultPort : Number(url.port),
    isSecure: url.protocol === 'smtps:',
    requiresTls: url.protocol === 'smtp:' && user !== '' && !isLoopbackHost(url.hostname),
    login: user === '' ? null : { user, password },
    from: from ?? (isMailAddress(user) ? user : null),
  };
}

/** Whether a text is one address without a name: it has no line end, comma or bracket, which would add headers or recipients. */
export function isMailAddress(text: string): boolean {
  return z.regexes.html5Email.test(text);
}
