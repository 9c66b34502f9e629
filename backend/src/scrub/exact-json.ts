declare global {
  /** JSON.parse source text access (https://tc39.es/proposal-json-parse-with-source), which Node has. */
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/**
 * Finds text that may hold a number whose digits JSON.parse loses: an integer beyond 2^53, a long fraction, `1.0`, `1e3`.
 * Only such a document needs a reviver, with which parsing takes five times as long; no SDK of JavaScript sends one.
 */
const MAY_LOSE_DIGITS = /[:[,]\s*-?(?:\d{16}|\d+\.(?:\d{15}|\d*0(?!\d))|\d+(?:\.\d+)?e)/i;

/** A number that JSON has none for, as sent by Python's `json.dumps`. */
const NOT_A_NUMBER = /-?(?:NaN|Infinity)/g;

/**
 * Parses JSON with all digits of its numbers: one that a double cannot write again is an object of JSON.rawJSON, which
 * JSON.stringify writes as it came. 64-bit ids are rounded otherwise: two users become one who does not exist. `NaN` and
 * `Infinity`, which are no JSON, are null.
 *
 * @throws SyntaxError
 */
export function parseExact(text: string): unknown {
  try {
    return parsed(text);
  } catch (error) {
    if (!text.includes('NaN') && !text.includes('Infinity')) throw error;
    return parsed(withNulls(text));
  }
}

/**
 * Replaces NaN and Infinity outside of strings. One pattern for a whole string would be shorter, but it needs stack for each
 * escaped character, which a string of some megabytes exhausts.
 */
function withNulls(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at);
    const start = quote < 0 ? text.length : quote;
    const end = endOfString(text, start);
    parts.push(text.slice(at, start).replace(NOT_A_NUMBER, 'null'), text.slice(start, end));
    at = end;
  }
  return parts.join('');
}

/** Returns the index behind the quote that ends a string; the length of the text without one. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote >= 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote < 0 ? text.length : quote + 1;
}

function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (text[first - 1] === '\\') first -= 1;
  return (index - first) % 2 === 1;
}

function parsed(text: string): unknown {
  if (!MAY_LOSE_DIGITS.test(text)) return JSON.parse(text);
  try {
    return JSON.parse(text, withDigits);
  } catch (error) {
    // Unlike JSON.parse alone, a reviver recurses: a document of thousands of levels keeps rounded numbers.
    if (error instanceof RangeError) return JSON.parse(text);
    throw error;
  }
}

function withDigits(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  const isChanged = typeof value === 'number' && source !== undefined && String(value) !== source;
  return isChanged ? JSON.rawJSON(source) : value;
}
