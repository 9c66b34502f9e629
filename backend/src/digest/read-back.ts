/** One interpretation of a pasted text; the store tries them in order. */
export type Candidate =
  /** 32 hex digits, or the first 8 or more of them. */
  | { readonly kind: 'event_id'; readonly eventId: string }
  /** A digest's full SHA-256. */
  | { readonly kind: 'key'; readonly key: string }
  /** A digest exactly as it is shown, mostly an error's own. */
  | { readonly kind: 'exact'; readonly digest: string }
  /** A digest or a reference: 4 to 8 Crockford symbols without hyphen; fewer than 8 are a prefix. */
  | { readonly kind: 'symbols'; readonly symbols: string };

/** Characters read: more than the text of any error page. */
const MAX_PASTED_LENGTH = 20_000;
const MAX_CANDIDATES = 20;

/** Soft hyphens, joiners, marks and isolates of direction, variation selectors: they come with a text and are not seen. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/**
 * Beside the dashes of Unicode those that keyboards and character recognition give for one: minus signs, the long vowel mark
 * of Japanese (U+30FC), the ideograph one, the Korean eu, a bullet, box lines.
 */
const DASHES = /[\p{Pd}\u02D7\u2043\u2212\u2500\u2501\u2796\u30FC\u3161\u1173\u4E00]/gu;
const FOREIGN_DIGIT = /(?![0-9])\p{Nd}/gu;
/** What people type and fonts show between the two halves, after NFKC and {@link DASHES}. */
const SEPARATOR = String.raw`[\s_.,:;/|~·•・‧∙⋅。、-]`;

const HEX_ID = /(?<![\w-])(?:[\da-f]{64}|[\da-f]{32}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?![\w-])/gi;
/** `Digest: …`, `"reference":"…"`, `X-Errata-Digest: …`, `digest …`, the address of an answer page. */
const LABELLED = new RegExp(
  String.raw`(?:digest|reference|\/console\/e)["'”]?[^\S\n]{0,3}([:=#/]?)\s{0,3}["'“]?([\da-z_][\w-]*)(${SEPARATOR}{1,3}[\da-z]{4}(?!\w))?`,
  'gi',
);
/** The second four are a lookahead: in `code 7KQ4 M2XD` the next match begins with them. */
const FOUR_AND_FOUR = new RegExp(
  String.raw`(?<![\p{L}\p{N}_-])([\da-z]{4})(?=( ?(?:(?!\s)${SEPARATOR})? ?)([\da-z]{4})(?![\p{L}\p{N}_-]))`,
  'giu',
);
/** Eight symbols in two halves with any separator between them; a prefix has only hyphens and blanks: `v1.2.3` is none. */
const HALVES = new RegExp(String.raw`^\s*([\da-z]{4})${SEPARATOR}{1,3}([\da-z]{4})\s*$`, 'i');
const CAPITALS = /^[A-Z]{4}-[A-Z]{4}$/;
const EXACT = /^[\w-]{1,64}$/;
const SYMBOLS = /^[\da-z]{4,8}$/i;
/** The beginning of an event id, as other tools shorten it. With fewer digits than eight, some event matches by chance. */
const SHORT_ID = /^[\da-f]{8,31}$/i;

/**
 * Finds ids in a pasted text (a whole error page, a chat line, part of a digest), the most certain first: the text after
 * the word Digest or Reference, an event id, the whole text, then any part with a digest's shape. The exact
 * text comes before its tolerant reading (any case, O -> 0, I and L -> 1, U -> V, without spaces and hyphens).
 *
 * Inside a longer text a prefix counts only after its label, and words count only if they look like a digest
 * ("occurred" has eight letters that all are symbols).
 */
export function readBack(pasted: string): readonly Candidate[] {
  const text = plainText(pasted);
  const found = [...labelled(text), ...hexIds(text), ...whole(text), ...unlabelled(text)];
  const distinct = new Map(found.map((candidate) => [JSON.stringify(candidate), candidate]));
  return [...distinct.values()].slice(0, MAX_CANDIDATES);
}

/** Returns the beginning of a pasted text with the characters of ASCII in place of those that look alike, and none unseen. */
export function plainText(pasted: string): string {
  return pasted
    .slice(0, MAX_PASTED_LENGTH)
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(DASHES, '-')
    .replace(FOREIGN_DIGIT, asciiDigit)
    .trim();
}

function labelled(text: string): readonly Candidate[] {
  return [...text.matchAll(LABELLED)].flatMap(([, separator = '', word = '', next = '']) => {
    const ids = hexIds(word);
    if (ids.length > 0) return ids;
    const isCertain = separator !== '' || /\d/.test(word) || CAPITALS.test(word);
    return isCertain ? [...exact(word), ...symbols(word + next), ...symbols(word)] : [];
  });
}

function hexIds(text: string): readonly Candidate[] {
  return [...text.matchAll(HEX_ID)].map(([id]) => {
    const hex = id.toLowerCase().replaceAll('-', '');
    return hex.length === 64 ? { kind: 'key', key: hex } : { kind: 'event_id', eventId: hex };
  });
}

function whole(text: string): readonly Candidate[] {
  const bare = text.replace(/^[^\p{L}\p{N}_-]+|[^\p{L}\p{N}_-]+$/gu, '');
  const short: readonly Candidate[] = SHORT_ID.test(bare)
    ? [{ kind: 'event_id', eventId: bare.toLowerCase() }]
    : [];
  return [...exact(bare), ...symbols(bare), ...short];
}

function unlabelled(text: string): readonly Candidate[] {
  const pairs = [...text.matchAll(FOUR_AND_FOUR)].map(([, first = '', gap = '', second = '']) => {
    const isCertain = gap === '' || gap === '-';
    const isLikely = isCertain ? isCode(first + second) : isCode(first) && isCode(second);
    return { isHyphen: /^[ -]*$/.test(gap), found: isLikely ? symbols(first + second) : [] };
  });
  // Amounts and versions (`1234.5678`) are in the form of a digest, too.
  return [...pairs.filter(({ isHyphen }) => isHyphen), ...pairs.filter(({ isHyphen }) => !isHyphen)].flatMap(
    ({ found }) => found,
  );
}

/** Returns the value of a decimal digit of any script: each script has its ten in a row (Unicode, 4.6), some follow another's. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value % 10);
}

/** Returns whether a text has capitals only, or a digit: it is then not a word of a sentence. */
function isCode(text: string): boolean {
  return /\d/.test(text) || text === text.toUpperCase();
}

function exact(text: string): readonly Candidate[] {
  return EXACT.test(text) ? [{ kind: 'exact', digest: text }] : [];
}

function symbols(text: string): readonly Candidate[] {
  const bare = text.replace(HALVES, '$1$2').replace(/[\s-]+/g, '');
  if (!SYMBOLS.test(bare)) return [];
  const read = bare.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1').replaceAll('U', 'V');
  return [{ kind: 'symbols', symbols: read }];
}
