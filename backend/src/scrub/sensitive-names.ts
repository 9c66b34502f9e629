/** Replacement of a secret, as in Sentry. */
export const FILTERED = '[Filtered]';

/**
 * Names whose value is a secret in any place: the default rule `@password:filter` of Sentry's Relay
 * (getsentry/relay, relay-pii/src/regexes.rs: password, secret, passwd, api_key, apikey, auth, credentials,
 * mysql_pwd, privatekey, private_key, token, otp, two_factor) and the further words of the Sentry SDK
 * (pwd, session, csrf, xsrf, cookie, jwt, bearer). "author" and "authority" are not "auth".
 */
const STRONG_NAMES = String.raw`password|passwd|passphrase|pwd|secret|api[-_. ]?key|credential|private[-_. ]?key|access[-_. ]?key`;
const WEAK_NAMES = String.raw`auth(?!or(?!i[sz]))|token|bearer|session|csrf|xsrf|cookie|jwt`;
const WHOLE_NAMES = String.raw`^(?:pass|pw|pin|otp|sid|ssn|two[-_]?factor|cv[vc]2?|card[-_]?number)$`;

/** Source of a regular expression for a sensitive name within a text. */
export const SENSITIVE_WORD = `${STRONG_NAMES}|${WEAK_NAMES}`;

const SENSITIVE = new RegExp(`${SENSITIVE_WORD}|${WHOLE_NAMES}`, 'i');
const STRONG = new RegExp(STRONG_NAMES, 'i');

/** The further words of the SDK's list for headers, cookies and query parameters, and the signature of signed URLs. */
const PARAMETER = /key|sso|saml|identity|sid|credential|signature|^sig$/i;

/** Returns whether the value of a property, tag or form field with this name is a secret. */
export function isSensitiveName(name: string): boolean {
  return SENSITIVE.test(name);
}

/** The same for headers, environment variables and query parameters, with a longer list: other programs name them. */
export function isSensitiveParameter(name: string): boolean {
  return SENSITIVE.test(name) || PARAMETER.test(name);
}

/** Returns whether the name is followed by a secret even in prose: `password: hunter`, unlike `session: expired`. */
export function isStrongName(name: string): boolean {
  return STRONG.test(name);
}
