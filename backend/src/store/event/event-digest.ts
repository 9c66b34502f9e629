import { symbolsOf } from '../../digest/crockford.ts';
import { type DigestVersion, digestOf, ownKey } from '../../digest/digest.ts';
import type { Fault } from '../../digest/fault.ts';
import { readException } from '../../digest/read-exception.ts';
import { routeTemplate } from '../../digest/route-template.ts';
import type { EnvelopeSource } from '../../sink/queued-envelope.ts';
import { pathOf } from './event-facts.ts';
import { type Fields, fieldsAt } from './fields.ts';

/** A digest as the store knows it. */
export interface DigestName {
  /** SHA-256, 64 hex digits. */
  readonly key: string;
  /** As people see it. */
  readonly shown: string;
}

/** Which fault, by the configured version of the digest. */
export interface EventDigest extends DigestName {
  /** The same by version 1, where that says another; see docs/decisions/007. */
  readonly earlier: DigestName | null;
}

/** Tags by which Errata's own reporting says what digest it showed; see errors/. */
const DIGEST_TAG = 'errata.digest';
const KEY_TAG = 'errata.digest_key';
/** Tag with its key by version 1, where the reporting shows another version's. */
const FIRST_KEY_TAG = 'errata.digest_key_1';
/** Tag by which a browser's event names the digest of the server's answer it came from. */
const SERVER_DIGEST_TAG = 'errata.server_digest';

const SHOWN = /^[\w-]{1,64}$/;
const KEY = /^[\da-f]{64}$/;

/** An event with neither exception nor message: its route is all there is to tell it by. */
const NAMELESS: Fault = { type: 'Event', code: null, message: '', frames: [], cause: null, ownDigest: null };

/** Where the event came from, for its digest. */
export interface EventOrigin {
  readonly source: EnvelopeSource;
  /** Directory of the application it came from; '' when it is not this one. */
  readonly root: string;
  /** False where frames are minified and would change with every build. */
  readonly useFrames: boolean;
  readonly version: DigestVersion;
}

/**
 * Which fault an event is of. The digest that Errata itself has shown to somebody is believed; from anywhere
 * else the tag is just text, and would let a stranger hide one fault under another's digest.
 */
export function eventDigest(event: Fields, { source, root, useFrames, version }: EventOrigin): EventDigest {
  const said = source === 'own' ? saidDigest(fieldsAt(event, 'tags')) : undefined;
  if (said !== undefined) return said;
  const path = pathOf(event);
  const route = path === null ? null : routeTemplate(path);
  const fault = readException(event, { root, useFrames }) ?? NAMELESS;
  const digest = digestOf(fault, { route, version });
  return {
    ...nameOf(digest),
    earlier: version === 1 ? null : nameOf(digestOf(fault, { route, version: 1 })),
  };
}

function nameOf({ key, shown }: DigestName): DigestName {
  return { key, shown };
}

function saidDigest(tags: Fields): EventDigest | undefined {
  const { [DIGEST_TAG]: shown, [KEY_TAG]: key, [FIRST_KEY_TAG]: first } = tags;
  if (typeof shown !== 'string' || typeof key !== 'string' || !belong(shown, key)) return undefined;
  const isKey = typeof first === 'string' && KEY.test(first);
  return { key, shown, earlier: isKey ? { key: first, shown: symbolsOf(first) } : null };
}

/** A pair that does not fit would make an issue nobody finds. */
function belong(shown: string, key: string): boolean {
  return SHOWN.test(shown) && KEY.test(key) && (shown === symbolsOf(key) || key === ownKey(shown));
}

/** The server's half of the failure, as the browser's event names it. Tags come as an object or as pairs. */
export function relatedDigest(event: Fields): string | null {
  const digest = tagsOf(event).get(SERVER_DIGEST_TAG);
  return digest !== undefined && SHOWN.test(digest) ? digest : null;
}

/** @see https://develop.sentry.dev/sdk/foundations/data-model/event-payloads/#optional-attributes */
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
