import { z } from 'zod';
import type { PolicyDirectives } from '../contract/page-policy.ts';

/** Directives that list sources (Content Security Policy Level 3, sections 6.1, 6.3 and 6.4). */
const LISTS = new Set([
  'base-uri',
  'child-src',
  'connect-src',
  'default-src',
  'font-src',
  'form-action',
  'frame-ancestors',
  'frame-src',
  'img-src',
  'manifest-src',
  'media-src',
  'object-src',
  'script-src',
  'script-src-attr',
  'script-src-elem',
  'style-src',
  'style-src-attr',
  'style-src-elem',
  'worker-src',
]);
const WITHOUT_SOURCES = 'upgrade-insecure-requests';

const KEYWORDS = new Set([
  "'self'",
  "'unsafe-inline'",
  "'unsafe-eval'",
  "'unsafe-hashes'",
  "'wasm-unsafe-eval'",
  "'strict-dynamic'",
  "'report-sample'",
  "'inline-speculation-rules'",
]);
const SCHEME = /^[a-z][a-z\d+.-]*:$/i;
/** Scheme, host with `*` for its first part, port and path. Browsers also take `_` in a host. */
const HOST =
  /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:\*|(?:\*\.)?[\w-]+(?:\.[\w-]+)*)(?::(?:\d{1,5}|\*))?(?:\/[\w\-.~!$&'()*+=:@%/]*)?$/i;
const NONCE_OR_HASH = /^'(?:nonce|sha256|sha384|sha512)-[\w+/-]+={0,2}'$/;

/** Directives of a Content-Security-Policy: `connect-src https://api.example; font-src https://fonts.example`. */
export const policyDirectives = z.string().transform((text, context): PolicyDirectives => {
  const directives: Record<string, string[]> = {};
  for (const part of text.split(';').map((each) => each.trim())) {
    if (part === '') continue;
    const [name = '', ...sources] = part.split(/ +/);
    const fault = faultOf(name, sources);
    if (fault !== undefined) {
      const message = `expected directives such as connect-src https://api.example, but ${fault}`;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
    directives[name] = [...(directives[name] ?? []), ...sources];
  }
  return directives;
});

/** Says in words what is wrong with a directive; undefined for one that a policy can have. */
function faultOf(name: string, sources: readonly string[]): string | undefined {
  if (name === WITHOUT_SOURCES)
    return sources.length === 0 ? undefined : `${name} has no sources, and ${quoted(sources[0])} is one`;
  if (!LISTS.has(name)) return `${quoted(name)} is no directive to add to`;
  if (sources.length === 0) return `${name} names no source`;
  const wrong = sources.find((source) => !isSource(source));
  if (wrong === undefined) return undefined;
  if (wrong === "'none'") return `'none' adds no source to ${name}`;
  if (KEYWORDS.has(`'${wrong}'`)) return `${quoted(wrong)} in ${name} needs single quotes`;
  return `${quoted(wrong)} in ${name} is no source`;
}

function isSource(text: string): boolean {
  if (KEYWORDS.has(text) || NONCE_OR_HASH.test(text) || SCHEME.test(text)) return true;
  return HOST.test(text) && !KEYWORDS.has(`'${text}'`);
}

/** Quotes as JSON does, so that a line break does not break the line of the fault. */
function quoted(text = ''): string {
  return JSON.stringify(text);
}
