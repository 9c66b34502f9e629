import { symbolsOf } from '../../digest/crockford.ts';
import { type Digest, digestOf, ownKey } from '../../digest/digest.ts';
import type { Fault } from '../../digest/fault.ts';
import { readException } from '../../digest/read-exception.ts';
import { routeTemplate } from '../../digest/route-template.ts';
import type { EnvelopeSource } from '../../sink/queued-envelope.ts';
import { pathOf } from './event-facts.ts';
import { type Fields, fieldsAt } from '../../digest/fields.ts';

/** Tags in which Errata's own reporting sends the digest that it showed; see errors/. */
const DIGEST_TAG = 'errata.digest';
const KEY_TAG = 'errata.digest_key';
/** Tag in which a browser event names the digest of the server's response that caused it. */
const SERVER_DIGEST_TAG = 'errata.server_digest';

const SHOWN = /^[\w-]{1,64}$/;
const KEY = /^[\da-f]{64}$/;

/** Fault of an event with neither exception nor message: only its route distinguishes it. */
const NAMELESS: Fault = { type: 'Event', code: null, message: '', frames: [], cause: null, ownDigest: null };

/** Origin of an event, which its digest depends on. */
export interface EventOrigin {
  readonly source: EnvelopeSource;
  /** Directory of the application that sent it; '' for another application than this one. */
  readonly root: string;
  /** False for minified frames, which change with every build. */
  readonly useFrames: boolean;
}

/**
 * Returns the digest of an event. The digest in the tags of Errata's own reports is trusted, because a page has shown
 * it. From any other sender the tag is plain text: a stranger could hide one fault under another's digest with it.
 */
export function eventDigest(event: Fields, { source, root, useFrames }: EventOrigin): Digest {
  const shown = source === 'own' ? shownDigest(fieldsAt(event, 'tags')) : undefined;
  if (shown !== undefined) return shown;
  const path = pathOf(event);
  const route = path === null ? null : routeTemplate(path);
  const fault = readException(event, { root, useFrames }) ?? NAMELESS;
  return digestOf(fault, { route });
}

function shownDigest({ [DIGEST_TAG]: shown, [KEY_TAG]: key }: Fields): Digest | undefined {
  const isPair = typeof shown === 'string' && typeof key === 'string' && isDigestOfKey(shown, key);
  return isPair ? { key, shown } : undefined;
}

/** A pair that does not match would create an issue that no look-up finds. */
function isDigestOfKey(shown: string, key: string): boolean {
  return SHOWN.test(shown) && KEY.test(key) && (shown === symbolsOf(key) || key === ownKey(shown));
}

/** Returns the digest of the server error that a browser event names as its cause. */
export function relatedDigest(event: Fields): string | null {
  const digest = tagsOf(event).get(SERVER_DIGEST_TAG);
  return digest !== undefined && SHOWN.test(digest) ? digest : null;
}

/**
 * Returns the tags of an event, which SDKs send as an object or as pairs.
 *
 * @see https://develop.sentry.dev/sdk/foundations/data-model/event-payloads/#optional-attributes
 */
export function tagsOf(event: Fields): ReadonlyMap<string, string> {
  const { tags } = event;
  const pairs: readonly unknown[] = Array.isArray(tags) ? tags : Object.entries(fieldsAt(tags));
  return new Map(
    pairs.flatMap((pair) => {
      const [name, value]: readonly unknown[] = Array.isArray(pair) ? pair : [];
      return typeof name === 'string' && ['string', 'number', 'boolean'].includes(typeof value)
        ? [[name, String(value)]]
        : [];
    }),
  );
}
