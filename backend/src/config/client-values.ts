import { z } from 'zod';
import type { HttpsOnly, PolicyDirectives } from '../contract/page-policy.ts';
import { type ClientRoutes, ROUTE_PATTERN, ROUTE_PATTERN_HINT } from '../contract/routes.ts';
import { listOf, someText } from './value-types.ts';

/** `files`, `spa`, or path patterns of a client, comma-separated. */
export const clientRoutes = listOf(someText).transform((names, context): ClientRoutes => {
  const [name] = names;
  if (names.length === 1 && (name === 'files' || name === 'spa')) return name;
  if (names.length > 0 && names.every((pattern) => ROUTE_PATTERN.test(pattern))) return names;
  context.addIssue({ code: 'custom', message: `expected files, spa, or a list: ${ROUTE_PATTERN_HINT}` });
  return z.NEVER;
});

/** Name and sources of one directive; no symbol can end the header or the policy. */
const DIRECTIVE = /^([a-z]+(?:-[a-z]+)*)((?: +[\x21-\x2b\x2d-\x3a\x3c-\x7e]+)*)$/;
/** Of other settings, or without effect in a header that only reports. */
const FIXED_DIRECTIVE = /^(report-(to|uri)|sandbox)$/;

/** Directives of a Content-Security-Policy: `connect-src https://api.example; font-src https://fonts.example`. */
export const policyDirectives = z.string().transform((text, context): PolicyDirectives => {
  const directives: Record<string, string[]> = {};
  for (const part of text.split(';').map((each) => each.trim())) {
    const [, name = '', sources = ''] = DIRECTIVE.exec(part) ?? [];
    if (part === '') continue;
    if (name === '' || FIXED_DIRECTIVE.test(name)) {
      context.addIssue({
        code: 'custom',
        message: 'expected directives such as connect-src https://api.example',
      });
      return z.NEVER;
    }
    directives[name] = [...(directives[name] ?? []), ...sources.split(' ').filter(Boolean)];
  }
  return directives;
});

/** `off`, seconds, or seconds and `includeSubDomains`: `63072000; includeSubDomains`. */
export const httpsOnly = z.string().transform((text, context): HttpsOnly | 'off' => {
  if (text === 'off') return text;
  const [, seconds, subDomains] = /^(\d{1,10})(; *includeSubDomains)?$/.exec(text) ?? [];
  if (seconds !== undefined) return { maxAge: Number(seconds), includeSubDomains: subDomains !== undefined };
  context.addIssue({ code: 'custom', message: 'expected off, seconds, or 63072000; includeSubDomains' });
  return z.NEVER;
});
