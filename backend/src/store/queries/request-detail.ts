import type { NamedText, RequestDetail } from '../../contract/event-api.ts';
import { type Fields, fieldsAt } from '../../digest/fields.ts';
import { columnText } from '../event/column-text.ts';
import { headersOf } from '../reading/pairs.ts';
import { namedTexts, valueText } from './named-texts.ts';

const MAX_METHOD_LENGTH = 32;
const MAX_URL_LENGTH = 4_096;
const MAX_QUERY_LENGTH = 4_096;
/** As the contract says: 8 KiB of text. */
const MAX_BODY_LENGTH = 8_192;

/**
 * Returns the request in which an event happened, for a browser the page; null when the event names none. URL and query
 * are separate, as in Relay.
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
    headers: [...namedTexts(headersOf(event)), ...cookiesOf(request['cookies'])],
    body: valueText(request['data'], MAX_BODY_LENGTH, 2),
  };
  const isEmpty = Object.values(detail).every((value) => value === null || value.length === 0);
  return isEmpty ? null : detail;
}

function partedUrl(url: string | null): readonly [string | null, string | null] {
  const [, place, query] = /^([^?#]*)(?:\?([^#]*))?/s.exec(url ?? '') ?? [];
  return [place === '' ? null : (place ?? null), query === '' ? null : (query ?? null)];
}

/** Reads a query that was sent as text, as an object, or as pairs. */
function queryOf(query: unknown): string | null {
  if (typeof query === 'string') return columnText(query.replace(/^\?/, ''), MAX_QUERY_LENGTH);
  const parameters = namedTexts(query).map(([name, value]) => `${name}=${value}`);
  return columnText(parameters.join('&'), MAX_QUERY_LENGTH);
}

/** Returns the cookies as one header; scrubbing has replaced their values. */
function cookiesOf(cookies: unknown): readonly NamedText[] {
  const text = valueText(cookies);
  return text === null ? [] : [['cookies', text]];
}
