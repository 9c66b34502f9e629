import { CROCKFORD_ALPHABET } from './crockford.ts';

/** Symbols that look alike in common fonts, in capitals or lower case, or written by hand. */
const ALIKE = '0D 0Q 17 1J 27 2Z 38 49 4A 56 5S 6B 6G 7T 8B 9G 9Q CG DQ EF HN KX MN PR VW VY'.split(' ');

/**
 * Lists the digests that a reader or a typist may have meant, without the text itself: those with one other symbol, with
 * two neighbours swapped, or with two symbols that look alike. Three are no likely slip, and 1,500 digests more.
 */
export function similarSymbols(symbols: string): readonly string[] {
  const own = [...symbols];
  const one = own.flatMap((_, at) => [...CROCKFORD_ALPHABET].map((other) => withPart(symbols, at, other)));
  const swapped = own.slice(1).map((next, at) => withPart(symbols, at, next + (own[at] ?? '')));
  const alike = withAlike(symbols).flatMap(({ text, at }) =>
    withAlike(text)
      .filter((second) => second.at > at)
      .map((second) => second.text),
  );
  return [...new Set([...one, ...swapped, ...alike])].filter((other) => other !== symbols);
}

/** Lists the digests that a text names but for one missing symbol. */
export function lengthenedSymbols(symbols: string): readonly string[] {
  const places = Array.from({ length: symbols.length + 1 }, (_, at) => at);
  const all = places.flatMap((at) =>
    [...CROCKFORD_ALPHABET].map((symbol) => symbols.slice(0, at) + symbol + symbols.slice(at)),
  );
  return [...new Set(all)];
}

/** Lists the texts with one symbol replaced by one that looks alike, and the place of that symbol. */
function withAlike(symbols: string): readonly { readonly text: string; readonly at: number }[] {
  return [...symbols].flatMap((own, at) =>
    ALIKE.filter((pair) => pair.includes(own)).map((pair) => ({
      text: withPart(symbols, at, pair.replace(own, '')),
      at,
    })),
  );
}

function withPart(symbols: string, at: number, part: string): string {
  return symbols.slice(0, at) + part + symbols.slice(at + part.length);
}
