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

/** A number that JSON has none for, as sent by Python's `json.dumps`. A text that contains such a word is matched whole. */
const TEXT_OR_NOT_A_NUMBER = /"[^"\\]*(?:\\.?[^"\\]*)*"?|-?(?:NaN|Infinity)/gs;

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
    return parsed(text.replace(TEXT_OR_NOT_A_NUMBER, (found) => (found.startsWith('"') ? found : 'null')));
  }
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
