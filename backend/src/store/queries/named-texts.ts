import type { NamedText } from '../../contract/event-api.ts';
import { cut } from '../../scrub/cut.ts';
import { pairsOf } from '../reading/pairs.ts';

/** Most values that are shown; the raw event contains all of them. */
const MAX_ENTRIES = 100;
const MAX_NAME_LENGTH = 200;
export const MAX_VALUE_LENGTH = 1_000;

/** Formats any JSON value as text, cut to a length. Returns null for an empty value. */
export function valueText(value: unknown, maxLength: number = MAX_VALUE_LENGTH, indent = 0): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'string') return cut(value, maxLength);
  if (typeof value === 'object' && Object.keys(value).length === 0) return null;
  return cut(JSON.stringify(value, null, indent), maxLength);
}

/** Lists names with their values as text, in any form of {@link pairsOf}. Any other value gives an empty list. */
export function namedTexts(value: unknown): readonly NamedText[] {
  const texts: NamedText[] = [];
  for (const [name, said] of pairsOf(value)) {
    const text = valueText(said);
    if (text === null) continue;
    texts.push([cut(name, MAX_NAME_LENGTH), text]);
    if (texts.length === MAX_ENTRIES) break;
  }
  return texts;
}
