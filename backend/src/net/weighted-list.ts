/**
 * Weights of the members of `Accept` and `Accept-Encoding` (RFC 9110, section 12.4.2), by name in lower case.
 * A weight of 0 means: not acceptable.
 */
export type Weights = ReadonlyMap<string, number>;

/** One member of the list. A comma or semicolon inside a quoted parameter separates nothing. */
const MEMBER = /(?:[^,"]|"(?:\\.|[^"\\])*"?)+/g;
const PARAMETER = /(?:[^;"]|"(?:\\.|[^"\\])*"?)+/g;

/**
 * Parses a weighted list. Parameters other than `q` are ignored, as no response here depends on them; of two members with
 * one name the larger weight counts.
 */
export function parseWeights(header: string): Weights {
  const weights = new Map<string, number>();
  for (const [member] of header.matchAll(MEMBER)) {
    const [name = '', ...parameters] = (member.match(PARAMETER) ?? []).map((part) =>
      part.trim().toLowerCase(),
    );
    if (name !== '') weights.set(name, Math.max(weights.get(name) ?? 0, weightOf(parameters)));
  }
  return weights;
}

/** Returns the weight from 0 to 1; 1 without a `q` or with one that is no number. */
function weightOf(parameters: readonly string[]): number {
  const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length) ?? '';
  return /^\d+(\.\d*)?$|^\.\d+$/.test(q) ? Math.min(Number(q), 1) : 1;
}
