import { isIP } from 'node:net';
import { z } from 'zod';
import { type Dsn, parseDsn } from '../envelope/dsn.ts';

/**
 * How a setting is declared, and the kinds of value that it can have. Each kind parses the text of one environment
 * variable; nothing here reads the environment itself.
 */

/** One setting: its name, its kind of value, its default and its meaning for docs/configuration.md. */
export interface Setting<T> {
  readonly name: string;
  readonly type: z.ZodType<T, string>;
  /** Text that is parsed when the variable is absent or empty; null: the value is then `null`. */
  readonly default: string | null;
  readonly meaning: string;
  /** Also read from the file `<NAME>_FILE`; its value is never printed. */
  readonly isSecret: boolean;
  /** Listed in the second table of docs/configuration.md: tests of the real process make it short. */
  readonly isAdvanced: boolean;
}

type Value<T, D extends string | null> = D extends null ? T | null : T;

export function setting<T, D extends string | null>(
  name: string,
  type: z.ZodType<T, string>,
  fallback: D,
  meaning: string,
): Setting<Value<T, D>> {
  return { name, type, default: fallback, meaning, isSecret: false, isAdvanced: false };
}

export function advanced<T>(
  name: string,
  type: z.ZodType<T, string>,
  fallback: string,
  meaning: string,
): Setting<T> {
  return { name, type, default: fallback, meaning, isSecret: false, isAdvanced: true };
}

export function secret<T>(name: string, type: z.ZodType<T, string>, meaning: string): Setting<T | null> {
  return { ...setting(name, type, null, meaning), isSecret: true };
}

const BYTE_UNITS: Readonly<Record<string, number>> = { '': 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };
const DURATION_UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Text that is not empty. */
export const someText = z.string().min(1, 'expected some text');

/** `on` or `off`, as a boolean. */
export const onOff = z.enum(['on', 'off'], 'expected on or off').transform((text) => text === 'on');

/** A TCP port; 0 lets the system choose. */
export const port = z
  .string()
  .regex(/^\d{1,5}$/, 'expected a port number from 0 to 65535')
  .transform(Number)
  .refine((value) => value <= 65_535, 'expected a port number from 0 to 65535');

/** A TCP port, or null for a listener that is switched off. */
export const portOrOff = z.union(
  [z.literal('off').transform(() => null), port],
  'expected a port number from 0 to 65535, or off',
);

/** A whole number above zero. */
export const count = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'expected a whole number above zero')
  .transform(Number);

/** A whole number, 0 or above. */
export const ordinal = z
  .string()
  .regex(/^(0|[1-9]\d{0,8})$/, 'expected a whole number, 0 or above')
  .transform(Number);

/** A size, parsed to bytes: `512MiB`, `5GiB`, `65536`. */
export const bytes = z
  .string()
  .regex(/^\d{1,12}(KiB|MiB|GiB)?$/, 'expected a size such as 512MiB, 64KiB or 1048576')
  .transform((text) => Number.parseInt(text, 10) * (BYTE_UNITS[text.replace(/^\d+/, '')] ?? 1));

/** A duration, parsed to milliseconds: `250ms`, `30s`, `7d`. */
export const durationMs = z
  .string()
  .regex(/^\d{1,9}(ms|s|m|h|d)$/, 'expected a duration such as 250ms, 30s, 15m, 12h or 7d')
  .transform((text) => Number.parseInt(text, 10) * (DURATION_UNITS[text.replace(/^\d+/, '')] ?? 1));

/** A duration that may also be a plain number of seconds, as container platforms write their delays: `5s`, `5`. */
export const delayMs = z
  .string()
  .transform((text) => (/^\d+$/.test(text) ? `${text}s` : text))
  .pipe(durationMs);

const URL_PATH = /^(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/;

/** A path on this origin: starts with a slash, no query, no trailing slash, no traversal. */
export const urlPath = z
  .string()
  .regex(URL_PATH, 'expected a path such as /tunnel, without a trailing slash');

/** A path in front of all others; empty for none. */
export const basePath = z
  .string()
  .refine(
    (text) => text === '' || URL_PATH.test(text),
    'expected a path such as /errata, without a trailing slash',
  );

/** An origin as browsers write it: scheme, lower-case host, port unless it is the scheme's default, no path. */
export const origin = z.string().refine((text) => {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}, 'expected an origin such as https://app.example, without a path');

/** Scheme and host of an app in a web view or of an extension; `file://` has no host. */
const APP_ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[a-z\d._-]*(?::\d{1,5})?$/;
const WEB_ORIGIN = /^https?:/;

/**
 * An origin that a browser engine sends (RFC 6454): of a site, of an app in a web view (`capacitor://localhost`), of an
 * extension, or `null`, which pages without an origin send. A pattern such as `https://*.app.example` matches no page.
 */
export const pageOrigin = z.string().refine((text) => {
  if (WEB_ORIGIN.test(text)) return origin.safeParse(text).success && !text.includes('*');
  return text === 'null' || APP_ORIGIN.test(text);
}, 'expected an origin such as https://app.example or capacitor://localhost, without a path and without *, or null');

/**
 * An OpenID Connect issuer: https, or plain http on a loopback address, where no network lies between. The text is not
 * normalised, because tokens must name exactly the same issuer.
 */
export const issuerUrl = z.string().refine((text) => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash } = new URL(text);
  const isTrusted = protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
  return search === '' && hash === '' && isTrusted;
}, 'expected an https address without a query, such as https://id.example');

/** Whether the host of a URL is this machine: no network lies between. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** A proxy for outgoing requests, with user and password if it wants them. */
export const proxyUrl = z.string().refine((text) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && isDecodable(url.username + url.password);
}, 'expected an http or https address such as http://proxy.example:3128');

/** Whether decodeURIComponent reads a text: `%zz` and `%ff` are no characters. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const WEBHOOK_KEY = /^whsec_([A-Za-z\d+/]+={0,2})$/;

/** A key of Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. */
export const webhookKey = z.string().transform((text, context): Uint8Array => {
  const key = Buffer.from(WEBHOOK_KEY.exec(text)?.[1] ?? '', 'base64');
  if (key.length >= 24 && key.length <= 64) return key;
  context.addIssue({ code: 'custom', message: 'expected whsec_ and 24 to 64 bytes in base64' });
  return z.NEVER;
});

/** A Sentry DSN; the secret key of old DSNs is dropped. */
export const dsn = z.string().transform((text, context): Dsn => {
  const parsed = parseDsn(text);
  if (parsed !== undefined && parsed.hasTrailingSlash !== true) return parsed;
  context.addIssue({ code: 'custom', message: 'expected a DSN such as https://<key>@<host>/<project>' });
  return z.NEVER;
});

/** A comma outside of double quotes: an even number of quotes follows it. */
const SEPARATOR = /,(?=(?:[^"]*"[^"]*")*[^"]*$)/;
/** A value that is in double quotes, or ends with a part in them; a quote within the quotes is written twice. */
const QUOTED = /^([^"]*)"((?:[^"]|"")*)"$/;

/**
 * Comma-separated values of one kind; blanks around a value and empty values are dropped. A value with a comma is in
 * double quotes, as in CSV (RFC 4180): a group of a directory is called `cn=sre,ou=groups`.
 */
export function listOf<T>(item: z.ZodType<T, string>): z.ZodType<readonly T[], string> {
  return z
    .string()
    .transform((text, context) => {
      const parts = text.split(SEPARATOR).map((part) => part.trim());
      const values = parts.map((part) => part.replace(QUOTED, unquoted));
      if (parts.every((part) => QUOTED.test(part) || !part.includes('"'))) return values.filter(Boolean);
      context.addIssue({ code: 'custom', message: 'expected double quotes around a whole value' });
      return z.NEVER;
    })
    .pipe(z.array(item));
}

function unquoted(_: string, before: string, quoted: string): string {
  return before + quoted.replaceAll('""', '"');
}

/** An address or a network: `10.0.0.0/8`, `::1`, `192.168.1.7`. */
export const network = z.string().refine((text) => {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}, 'expected an address or a network such as 10.0.0.0/8 or ::1');

/**
 * Values of `sslmode` that the driver knows (docs/operations.md has their meaning). It takes an unknown one for
 * `verify-full`, and an empty one for `disable`: a typo would connect without TLS.
 */
const SSL_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];

/** A PostgreSQL connection string. */
export const postgresUrl = z
  .string()
  .trim()
  .refine((text) => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol), {
    error: 'expected a connection string such as postgres://user:password@host:5432/errata',
    abort: true,
  })
  .refine(
    (text) => new URL(text).searchParams.getAll('sslmode').every((mode) => SSL_MODES.includes(mode)),
    `expected one of these values of sslmode: ${SSL_MODES.join(', ')}`,
  );
