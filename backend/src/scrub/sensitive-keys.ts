import { cut } from './cut.ts';
import { scrubText } from './scrub-text.ts';
import { isSensitiveName, isSensitiveParameter } from './sensitive-names.ts';

/** Facts about the value of a member, derived from its name. */
export interface KeyFacts {
  /** The name to store; it is scrubbed, because names can contain secrets. */
  readonly name: string;
  readonly isSensitive: boolean;
  /** Whether it is sensitive as a header, an environment variable or a query parameter. */
  readonly isSensitiveParameter: boolean;
  /** Whether the members of the value are headers, environment variables or query parameters. */
  readonly holdsParameters: boolean;
  /** Whether the members of the value are named by packages; only at the top level of an event. */
  readonly isNamedByPackages: boolean;
  /** Whether the value is an id, whose digits may look like a card number. */
  readonly isId: boolean;
  /** Whether the value is scrubbed after those around it: stacks, their variables, and bodies are most of an event. */
  readonly isLarge: boolean;
}

const MAX_KEY_LENGTH = 256;
/** Maximum number of characters of a key that are scrubbed. */
const MAX_RAW_LENGTH = 1_024;
/** Cached names: events have a few hundred, and the facts of one take half a microsecond. */
const MAX_CACHED = 2_000;
const MAX_CACHED_LENGTH = 64;

/** Parts of an event whose keys name packages, images and parts of the SDK, such as `cookie` or `express-session`. */
const NAMED_BY_PACKAGES: ReadonlySet<string> = new Set(['modules', 'debug_meta', 'sdk', 'measurements']);
const PARAMETERS = /headers?$|^env$|^query_string$|^(?:http|url)\.query$/i;
const ID = /^(?:event|trace|span|parent_span|segment|replay|profile|debug|code)_id$/;
const LARGE = /^(?:stacktrace|vars|data)$/;
const PLAIN_KEY = /^[A-Za-z_.-]{0,64}$/;

const cache = new Map<string, KeyFacts>();

/** Returns the facts of a name, from a cache for short ones. */
export function factsOfKey(key: string): KeyFacts {
  const facts = cache.get(key);
  if (facts !== undefined) return facts;
  const read = readFacts(key);
  if (key.length > MAX_CACHED_LENGTH) return read;
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(key, read);
  return read;
}

function readFacts(key: string): KeyFacts {
  return {
    name: PLAIN_KEY.test(key) ? key : cut(scrubText(key.slice(0, MAX_RAW_LENGTH)), MAX_KEY_LENGTH),
    isSensitive: isSensitiveName(key),
    isSensitiveParameter: isSensitiveParameter(key),
    holdsParameters: PARAMETERS.test(key),
    isNamedByPackages: NAMED_BY_PACKAGES.has(key),
    isId: ID.test(key),
    isLarge: LARGE.test(key),
  };
}
