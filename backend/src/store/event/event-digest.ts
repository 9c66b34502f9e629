import { CROCKFORD_ALPHABET, symbolsOf } from '../../digest/crockford.ts';
import { type Digest, digestOf, ownKey } from '../../digest/digest.ts';
import { digestOfFingerprint } from '../../digest/fingerprint-digest.ts';
import type { Fault } from '../../digest/fault.ts';
import { routeTemplate } from '../../digest/route-template.ts';
import type { EnvelopeSource } from '../../sink/queued-envelope.ts';
import { columnText } from './column-text.ts';
import { pathOf } from './event-facts.ts';
import { MAX_PATH_LENGTH } from './fact-forms.ts';
import { type Fields, fieldsAt } from '../../digest/fields.ts';
import { tagsOf } from '../reading/pairs.ts';
import { lenientText } from '../reading/lenient-text.ts';
import { eventFault, type FaultOptions } from '../reading/event-fault.ts';

/** Tags in which Errata's own reporting sends the digest that it showed; see reporting/append-own.ts. */
const DIGEST_TAG = 'errata.digest';
const KEY_TAG = 'errata.digest_key';
/** Tags in which a browser event names the digest and the reference of the server's response that caused it. */
const SERVER_DIGEST_TAG = 'errata.server_digest';
const SERVER_REFERENCE_TAG = 'errata.server_reference';

const SHOWN = /^[\w-]{1,64}$/;
const KEY = /^[\da-f]{64}$/;
const REFERENCE = new RegExp(`^[${CROCKFORD_ALPHABET}]{4}-[${CROCKFORD_ALPHABET}]{4}$`);

/** Before the route in a transaction: `GET /products/:slug`. */
const METHOD = /^[A-Z]+ /;
/** `:slug`, `[slug]`, `{slug}`, `$slug`, `<slug>`, `(.*)` and `*`. */
const PARAMETER = /^[:[{$<(*]/;
/** Words of a segment: two are mostly those of a page (`reset-password`), three those of a title (`how-we-built-it`). */
const TITLE_WORDS = 3;
/** Read by routeTemplate as one that differs between events. */
const ANY_SEGMENT = '*';

/** Fault of an event with neither exception nor message: only its route distinguishes it. */
const NAMELESS: Fault = {
  type: 'Event',
  code: null,
  message: '',
  frames: [],
  cause: null,
  members: [],
  ownDigest: null,
};

/** Origin of an event, which its digest depends on. */
export interface EventOrigin extends FaultOptions {
  readonly source: EnvelopeSource;
}

/**
 * Returns the digest of an event. The digest in the tags of Errata's own reports is trusted, because a page has shown
 * it; so are the events of gateways. From any other sender the tag is plain text: a stranger could hide one fault under another's digest with it.
 * The fingerprint of an application forms the digest of all its other events.
 */
export function eventDigest(event: Fields, { source, ...options }: EventOrigin): Digest {
  const isOwn = source === 'own' || source === 'gateway';
  const shown = isOwn ? shownDigest(fieldsAt(event, 'tags')) : undefined;
  if (shown !== undefined) return shown;
  const fault = eventFault(event, options) ?? NAMELESS;
  return digestOfFingerprint(fingerprintIn(event), digestOf(fault, { route: routeIn(event) }));
}

/**
 * Returns the route of an event: its transaction where that has a parameter, which SDKs know from the router, else the
 * template of its path. Both are equal for `/products/:slug` and `/products/17`.
 */
export function routeIn(event: Fields): string | null {
  const transaction = columnText(event['transaction'], MAX_PATH_LENGTH)?.replace(METHOD, '') ?? '';
  const known = transaction.startsWith('/') ? transaction.split('/') : [];
  if (known.some((segment) => PARAMETER.test(segment)))
    return routeTemplate(known.map((segment) => (PARAMETER.test(segment) ? ANY_SEGMENT : segment)).join('/'));
  const [path] = pathOf(event)?.split(/[?#]/, 1) ?? [];
  if (path === undefined) return null;
  const [first, ...others] = path.split('/').filter((segment) => segment !== '');
  return routeTemplate(
    ['', first, ...others.map((segment) => (isTitle(segment) ? ANY_SEGMENT : segment))].join('/'),
  );
}

function isTitle(segment: string): boolean {
  return segment.split(/[-_]+/).filter((word) => word !== '').length >= TITLE_WORDS;
}

/** Returns the parts of the fingerprint that the application set, a list of texts and numbers or one of them. */
export function fingerprintIn({ fingerprint }: Fields): readonly string[] {
  const parts: readonly unknown[] = Array.isArray(fingerprint) ? fingerprint : [fingerprint];
  return parts.map((part) => lenientText(part) ?? '').filter((part) => part.trim() !== '');
}

function shownDigest({ [DIGEST_TAG]: shown, [KEY_TAG]: key }: Fields): Digest | undefined {
  const isPair = typeof shown === 'string' && typeof key === 'string' && isDigestOfKey(shown, key);
  return isPair ? { key, shown } : undefined;
}

/** A pair that does not match would create an issue that no read finds. */
function isDigestOfKey(shown: string, key: string): boolean {
  return SHOWN.test(shown) && KEY.test(key) && (shown === symbolsOf(key) || key === ownKey(shown));
}

/** Returns the digest of the server error that a browser event names as its cause. */
export function relatedDigest(event: Fields): string | null {
  const digest = tagsOf(event).get(SERVER_DIGEST_TAG);
  return digest !== undefined && SHOWN.test(digest) ? digest : null;
}

/** Returns the reference of the server event that a browser event names as its cause. */
export function relatedReference(event: Fields, tags = tagsOf(event)): string | null {
  const reference = tags.get(SERVER_REFERENCE_TAG);
  return reference !== undefined && REFERENCE.test(reference) ? reference : null;
}
