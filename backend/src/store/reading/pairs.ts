import { type Fields, fieldsAt, isFields, scalarText } from '../../digest/fields.ts';
import { lenientText } from './lenient-text.ts';

/** Lists names with their values, sent as an object, as a list of pairs, or as a list of `{name, value}`. */
export function pairsOf(sent: unknown): readonly (readonly [name: string, value: unknown])[] {
  if (isFields(sent)) return Object.entries(sent);
  return Array.isArray(sent) ? sent.flatMap(pairOf) : [];
}

function pairOf(entry: unknown): readonly (readonly [string, unknown])[] {
  const [name, value]: readonly unknown[] = Array.isArray(entry)
    ? entry
    : isFields(entry)
      ? [entry['name'] ?? entry['key'], entry['value']]
      : [];
  return typeof name === 'string' && name !== '' ? [[name, value]] : [];
}

/**
 * Lists the headers of an event's request. A header that was sent several times has a list of values (Go, Java, PHP),
 * which are one value with commas between (RFC 9110, section 5.3).
 */
export function headersOf(event: Fields): readonly (readonly [name: string, value: unknown])[] {
  return pairsOf(fieldsAt(event, 'request')['headers']).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(lenientText).join(', ') : value,
  ]);
}

/**
 * Returns the tags of an event.
 *
 * @see https://develop.sentry.dev/sdk/foundations/data-model/event-payloads/#optional-attributes
 */
export function tagsOf(event: Fields): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  for (const [name, value] of pairsOf(event['tags'])) {
    const text = typeof value === 'boolean' ? String(value) : scalarText(value);
    if (text !== null) tags.set(name, text);
  }
  return tags;
}
