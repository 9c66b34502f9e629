import { cut } from './cut.ts';
import { scrubText } from './scrub-text.ts';
import { isSensitiveName, isSensitiveParameter } from './sensitive-names.ts';

/** What the name of a member says of its value. */
export interface KeyFacts {
  /** The name as it is kept: names too can hold secrets. */
  readonly kept: string;
  readonly isSensitive: boolean;
  /** Whether it is sensitive as the name of a header, an environment variable or a query parameter. */
  readonly isSensitiveParameter: boolean;
  /** Whether the names below are such. */
  readonly holdsParameters: boolean;
  /** Whether the names below are those of packages, if it stands at the top of an event. */
  readonly isNamedByPackages: boolean;
  /** Whether the value is an id, whose digits may look like a card. */
  readonly isId: boolean;
}

const MAX_KEY_LENGTH = 256;
/** Characters of a key that are scrubbed. */
const MAX_RAW_LENGTH = 1_024;
/** Names remembered: those of events are a few hundred, and reading one takes half a microsecond. */
const MAX_KNOWN = 2_000;
const MAX_KNOWN_LENGTH = 64;

/** Parts of an event whose keys are names of packages, images and SDK parts, such as `cookie` or `express-session`. */
const NAMED_BY_PACKAGES: ReadonlySet<string> = new Set(['modules', 'debug_meta', 'sdk', 'measurements']);
const PARAMETERS = /headers?$|^env$|^query_string$|^(?:http|url)\.query$/i;
const ID = /^(?:event|trace|span|parent_span|segment|replay|profile|debug|code)_id$/;
const PLAIN_KEY = /^[A-Za-z_.-]{0,64}$/;

const known = new Map<string, KeyFacts>();

export function factsOfKey(key: string): KeyFacts {
  const facts = known.get(key);
  if (facts !== undefined) return facts;
  const read = readFacts(key);
  if (key.length > MAX_KNOWN_LENGTH) return read;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, read);
  return read;
}

function readFacts(key: string): KeyFacts {
  return {
    kept: PLAIN_KEY.test(key) ? key : cut(scrubText(key.slice(0, MAX_RAW_LENGTH)), MAX_KEY_LENGTH),
    isSensitive: isSensitiveName(key),
    isSensitiveParameter: isSensitiveParameter(key),
    holdsParameters: PARAMETERS.test(key),
    isNamedByPackages: NAMED_BY_PACKAGES.has(key),
    isId: ID.test(key),
  };
}
