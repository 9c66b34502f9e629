import { hash } from 'node:crypto';
import { symbolsOf } from './crockford.ts';
import type { Digest } from './digest.ts';

/** Sentry's placeholder for the grouping that an event would have without a fingerprint. */
const DEFAULT = /^\s*\{\{\s*default\s*\}\}\s*$/;

/**
 * Computes the digest of an event whose application sets a fingerprint: events with equal fingerprints are one fault. A
 * part `{{ default }}` is the digest by the rule, so `['{{ default }}', 'visa']` divides a fault, and `['network']` joins
 * several. A fingerprint of the placeholder alone, or an empty one, changes nothing.
 *
 * @see https://docs.sentry.io/platforms/javascript/usage/sdk-fingerprinting/
 */
export function digestOfFingerprint(parts: readonly string[], byRule: Digest): Digest {
  if (parts.every((part) => DEFAULT.test(part))) return byRule;
  const named = parts.map((part) => (DEFAULT.test(part) ? { default: byRule.key } : part));
  const key = hash('sha256', `errata-fingerprint-digest/1\n${JSON.stringify(named)}`, 'hex');
  return { key, shown: symbolsOf(key) };
}
