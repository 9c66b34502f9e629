import { parseWeights } from '../net/weighted-list.ts';

export type Coding = 'br' | 'zstd' | 'gzip';

/** Suffix of the variant that the build writes beside a file. The order is that of preference: smallest first. */
export const SUFFIXES: Readonly<Record<Coding, string>> = { br: '.br', zstd: '.zst', gzip: '.gz' };

/** Returns the codings that `Accept-Encoding` accepts, the one with the largest weight first. */
export function acceptedCodings(acceptEncoding = ''): readonly Coding[] {
  const weights = parseWeights(acceptEncoding);
  const weightOf = (coding: Coding): number => weights.get(coding) ?? weights.get('*') ?? 0;
  return (Object.keys(SUFFIXES) as Coding[])
    .filter((coding) => weightOf(coding) > 0)
    .toSorted((one, other) => weightOf(other) - weightOf(one));
}
