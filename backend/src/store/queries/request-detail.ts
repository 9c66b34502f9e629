import type { NamedText, RequestDetail } from '../../contract/event-api.ts';
import { type Fields, fieldsAt } from '../../digest/fields.ts';
import { columnText } from '../event/column-text.ts';
import { namedTexts, valueText } from './named-texts.ts';

const MAX_METHOD_LENGTH = 32;
const MAX_URL_LENGTH = 4_096;
const MAX_QUERY_LENGTH = 4_096;
/** As the contract says: 8 KiB of text. */
const MAX_BODY_LENGTH = 8_192;

/**
 * The request an event happened in, for a browser the page; null where it names none. The query stands apart from
 * the URL, as Relay keeps them.
 *
 * @see https://develop.sentry.dev/sdk/foundations/data-model/event-payloads/request/
 */
export function requestDetailOf(event: Fields): RequestDetail | null {
  const request = fieldsAt(event, 'request');
  const [url, query] = partedUrl(columnText(request['url'], MAX_URL_LENGTH));
  const detail = {
    method: columnText(request['method'], MAX_METHOD_LENGTH),
    url,
    query: queryOf(request['query_string']) ?? query,
    headers: [...namedTexts(request['headers']), ...cookiesOf(request['cookies'])],
    body: valueText(request['data'], MAX_BODY_LENGTH, 2),
  };
  const isEmpty = Object.values(detail).every((value) => value === null || value.length === 0);
  return isEmpty ? null : detail;
}

function partedUrl(url: string | null): readonly [string | null, string | null] {
  const [, place, query] = /^([^?#]*)(?:\?([^#]*))?/s.exec(url ?? '') ?? [];
  return [place === '' ? null : (place ?? null), query === '' ? null : (query ?? null)];
}

/** A text as in a URL, or its parameters as an object or as pairs. */
function queryOf(query: unknown): string | null {
  if (typeof query === 'string') return columnText(query.replace(/^\?/, ''), MAX_QUERY_LENGTH);
  const parameters = namedTexts(query).map(([name, value]) => `${name}=${value}`);
  return columnText(parameters.join('&'), MAX_QUERY_LENGTH);
}

/** Their values are never kept, but which there were may be. */
function cookiesOf(cookies: unknown): readonly NamedText[] {
  const text = valueText(cookies);
  return text === null ? [] : [['cookies', text]];
}
