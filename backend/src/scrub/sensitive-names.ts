/** What stands in the place of a secret, as in Sentry. */
export const FILTERED = '[Filtered]';

/**
 * Names whose value is a secret wherever they stand: the default rule `@password:filter` of Sentry's Relay
 * (getsentry/relay, relay-pii/src/regexes.rs: password, secret, passwd, api_key, apikey, auth, credentials,
 * mysql_pwd, privatekey, private_key, token, otp, two_factor) and the words the Sentry SDK filters besides
 * (pwd, session, csrf, xsrf, cookie, jwt, bearer). "author" and "authority" are not "auth".
 */
const STRONG_NAMES = String.raw`password|passwd|passphrase|pwd|secret|api[-_. ]?key|credential|private[-_. ]?key|access[-_. ]?key`;
const WEAK_NAMES = String.raw`auth(?!or(?!i[sz]))|token|bearer|session|csrf|xsrf|cookie|jwt`;
const WHOLE_NAMES = String.raw`^(?:pass|pw|pin|otp|sid|ssn|two[-_]?factor|cv[vc]2?|card[-_]?number)$`;

/** Source of a regular expression that finds a sensitive name within a text. */
export const SENSITIVE_WORD = `${STRONG_NAMES}|${WEAK_NAMES}`;

const SENSITIVE = new RegExp(`${SENSITIVE_WORD}|${WHOLE_NAMES}`, 'i');
const STRONG = new RegExp(STRONG_NAMES, 'i');

/** The further words of the SDK's list for headers, cookies and query parameters, and the signature of signed URLs. */
const PARAMETER = /key|sso|saml|identity|sid|credential|signature|^sig$/i;

/** A property of an object, a tag, a form field. */
export function isSensitiveName(name: string): boolean {
  return SENSITIVE.test(name);
}

/** A header, an environment variable or a query parameter: a wider list, since their names come from outside. */
export function isSensitiveParameter(name: string): boolean {
  return SENSITIVE.test(name) || PARAMETER.test(name);
}

/** A name that in prose too is followed by nothing but a secret: `password: hunter`, unlike `session: expired`. */
export function isStrongName(name: string): boolean {
  return STRONG.test(name);
}
