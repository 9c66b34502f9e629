import type { SignInProblem } from '@errata/backend/contract/access-api.ts';

const WORDS: Readonly<Record<SignInProblem, string>> = {
  refused: 'Your organisation did not let you in, or you cancelled. Try again.',
  no_access:
    'Your organisation knows you, but you are on no list of this console. Ask an operator to add you (OIDC_SUPPORT or OIDC_OPERATORS).',
  unreachable: 'Your organisation’s sign-in cannot be reached now. Try again in a minute.',
  expired: 'The sign-in took longer than ten minutes, or was begun in another tab. Try again.',
  plain_http:
    'Sign-in needs https: over plain http anybody on the way could read the session. Behind a proxy that ends TLS, set ERRATA_TRUST_PROXY; for a container whose port is published on loopback, ERRATA_PUBLISHED_ON_LOOPBACK=on.',
  too_many: 'Too many tries from this address. Wait a minute, then try again.',
};

function isKnown(code: string): code is SignInProblem {
  return Object.hasOwn(WORDS, code);
}

/** `?problem=` of the sign-in page in words; null when there is none. Never the code itself: anybody can write one. */
export function signInProblem(code: string | null): string | null {
  if (code === null) return null;
  return isKnown(code) ? WORDS[code] : 'The sign-in did not work. Try again.';
}
