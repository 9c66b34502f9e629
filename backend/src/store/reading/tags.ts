import { type Fields, fieldsAt } from '../../digest/fields.ts';

/**
 * Returns the tags of an event, which SDKs send as an object or as pairs.
 *
 * @see https://develop.sentry.dev/sdk/foundations/data-model/event-payloads/#optional-attributes
 */
export function tagsOf(event: Fields): ReadonlyMap<string, string> {
  const { tags } = event;
  const pairs: readonly unknown[] = Array.isArray(tags) ? tags : Object.entries(fieldsAt(tags));
  return new Map(
    pairs.flatMap((pair) => {
      const [name, value]: readonly unknown[] = Array.isArray(pair) ? pair : [];
      return typeof name === 'string' && ['string', 'number', 'boolean'].includes(typeof value)
        ? [[name, String(value)]]
        : [];
    }),
  );
}
