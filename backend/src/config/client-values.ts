import { z } from 'zod';
import type { HttpsOnly } from '../contract/page-policy.ts';
import { type ClientRoutes, ROUTE_PATTERN, ROUTE_PATTERN_HINT } from '../contract/routes.ts';

/** `files`, `spa`, or path patterns of a client, comma-separated. */
export const clientRoutes = z.string().transform((text, context): ClientRoutes => {
  if (text === 'files' || text === 'spa') return text;
  const patterns = text.split(',').map((each) => each.trim());
  const wrong = patterns.find((pattern) => !ROUTE_PATTERN.test(pattern));
  if (wrong === undefined) return patterns;
  const which = wrong === '' ? 'an entry is empty' : `${JSON.stringify(wrong)} is none`;
  const message = `expected files, spa, or a list: ${ROUTE_PATTERN_HINT}, but ${which}`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** `off`, seconds, or seconds and `includeSubDomains`: `63072000; includeSubDomains`. */
export const httpsOnly = z.string().transform((text, context): HttpsOnly | 'off' => {
  if (text === 'off') return text;
  const [, seconds, subDomains] = /^(\d{1,10})(; *includeSubDomains)?$/.exec(text) ?? [];
  if (seconds !== undefined) return { maxAge: Number(seconds), includeSubDomains: subDomains !== undefined };
  context.addIssue({ code: 'custom', message: 'expected off, seconds, or 63072000; includeSubDomains' });
  return z.NEVER;
});
