import { parseRateLimits } from '../envelope/rate-limits.ts';
import { spooledEnvelope } from '../spool/spool.fixture.ts';
import type { UpstreamHeaders } from '../envelope/rate-limits.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import type { Settlement } from '../sink/sink.ts';
import { settlementOf } from './upstream-answer.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);
const NO_LIMITS = { limits: [], nowMs: NOW_MS };
const JSON_TYPE = 'application/json';
const HTML_TYPE = 'text/html; charset=utf-8';

/** @param start first character of the body; none for an empty body. */
function settle(
  status: number,
  headers: UpstreamHeaders = {},
  start = '',
  changes: Partial<QueuedEnvelope> = {},
): Settlement {
  const envelope = spooledEnvelope('{"type":"event"}\n{}', changes);
  const firstByte = start === '' ? undefined : start.charCodeAt(0);
  const limits = parseRateLimits(status, headers, NOW_MS);
  return settlementOf({ status, headers, firstByte }, envelope, [], { limits, nowMs: NOW_MS });
}

/** Returns the settlement in one word: the scope of a failure, otherwise the outcome. */
function verdict(settlement: Settlement): string {
  return settlement.outcome === 'retry' ? settlement.scope : settlement.outcome;
}

/** Content type and first character of answers whose status alone decides. */
const FORMS = [
  [JSON_TYPE, '{'],
  [HTML_TYPE, '<'],
  [undefined, '{'],
  [undefined, '<'],
  [undefined, ''],
] as const;

/** The same, without a web page in place of the upstream's answer. */
const API_FORMS = [
  [JSON_TYPE, '{'],
  [HTML_TYPE, '{'],
  ['text/plain', 'N'],
  [undefined, '{'],
  [undefined, ''],
] as const;
const PAGES = [
  [HTML_TYPE, '<'],
  [HTML_TYPE, ''],
  [JSON_TYPE, '<'],
  ['application/xml', '<'],
  [undefined, '<'],
] as const;

function each(statuses: readonly number[], forms: typeof FORMS | typeof API_FORMS | typeof PAGES) {
  return statuses.flatMap((status) => forms.map(([type, start]) => [status, type, start] as const));
}

describe('settlementOf', () => {
  it.each([
    [200, JSON_TYPE, '{', 'delivered'],
    [200, JSON_TYPE, '', 'delivered'],
    [200, undefined, '{', 'delivered'],
    [200, undefined, '', 'delivered'],
    [200, 'text/plain', 'O', 'delivered'],
    [200, HTML_TYPE, 'O', 'delivered'],
    [200, HTML_TYPE, '', 'delivered'],
    [201, JSON_TYPE, '{', 'delivered'],
    [204, undefined, '', 'delivered'],
    [200, HTML_TYPE, '<', 'page'],
    [200, JSON_TYPE, '<', 'page'],
    [200, undefined, '<', 'page'],
    [202, 'application/xml', '<', 'page'],
  ])('H22: settles %i, content type %s, body %j as %s', (status, type, start, expected) => {
    expect(verdict(settle(status, { 'content-type': type }, start))).toBe(expected);
  });

  describe.each([401, 403, 404])('H22: settles %i', (status) => {
    it.each([
      [JSON_TYPE, '{', 'dsn'],
      [JSON_TYPE, '', 'dsn'],
      ['Application/JSON ; charset=utf-8', '{', 'dsn'],
      ['application/problem+json', '{', 'dsn'],
      [undefined, '{', 'dsn'],
      [undefined, '[', 'dsn'],
      ['', '{', 'dsn'],
      [HTML_TYPE, '<', 'page'],
      [HTML_TYPE, '{', 'page'],
      [HTML_TYPE, '', 'page'],
      ['text/plain', '{', 'page'],
      ['application/json-seq', '{', 'page'],
      [undefined, '<', 'page'],
      [undefined, 'N', 'page'],
      [undefined, '', 'page'],
    ])('content type %s, body %j as %s', (type, start, expected) => {
      expect(verdict(settle(status, { 'content-type': type }, start))).toBe(expected);
    });
  });

  it.each(each([400, 402, 406, 409, 413, 414, 415, 422, 426, 431, 499], API_FORMS))(
    'H22: settles %i, content type %s, body %j as a refusal',
    (status, type, start) => {
      expect(settle(status, { 'content-type': type, 'x-sentry-error': 'no thanks' }, start)).toEqual({
        outcome: 'retry',
        reason: `status_${status}`,
        status,
        retryAfterMs: null,
        scope: 'refusal',
        refusal: { status, detail: 'no thanks' },
      });
    },
  );

  it.each([
    ...each([300, 301, 302, 303, 304, 307, 308, 408, 425, 502, 503, 504], FORMS),
    ...each([405, 407, 410, 411, 421, 451], API_FORMS),
  ])('H22: settles %i, content type %s, body %j as a failure of the sink', (status, type, start) => {
    expect(settle(status, { 'content-type': type, 'retry-after': '30' }, start)).toEqual({
      outcome: 'retry',
      reason: `status_${status}`,
      status,
      retryAfterMs: 30_000,
      scope: 'sink',
    });
  });

  it.each([
    [301, 'https://sentry.example/api/1/envelope/', 'https://sentry.example/api/1/envelope/'],
    [302, 'https://sso.example/login?token=s3cret#x', 'https://sso.example/login'],
    [308, '/api/1/envelope', '/api/1/envelope'],
    [307, undefined, undefined],
    [503, 'https://sentry.example/', undefined],
  ])('H22: names the target of %i to %j as %j', (status, location, named) => {
    expect({ location: undefined, ...settle(status, { location }) }).toMatchObject({
      outcome: 'retry',
      scope: 'sink',
      location: named,
    });
  });

  it.each(each([400, 401, 403, 405, 406, 413, 422, 451, 499, 500, 501, 520], PAGES))(
    'H22: settles %i, content type %s, body %j as a page of a server in front of the upstream',
    (status, type, start) => {
      expect(settle(status, { 'content-type': type, 'retry-after': '30' }, start)).toEqual({
        outcome: 'retry',
        reason: `status_${status}`,
        status,
        retryAfterMs: 30_000,
        scope: 'page',
      });
    },
  );

  it.each(each([500, 501, 505, 520, 599], API_FORMS))(
    'H22: settles %i, content type %s, body %j as a failure of the envelope',
    (status, type, start) => {
      expect(settle(status, { 'content-type': type, 'retry-after': '30' }, start)).toEqual({
        outcome: 'retry',
        reason: `status_${status}`,
        status,
        retryAfterMs: null,
        scope: 'envelope',
      });
    },
  );

  it.each(FORMS)('H22: holds an error and drops other data after a 429, %s, body %j', (type, start) => {
    const headers = { 'content-type': type, 'retry-after': '60' };

    expect(settle(429, headers, start)).toEqual({ outcome: 'held', untilMs: NOW_MS + 60_000, wasSent: true });
    expect(settle(429, headers, start, { class: 2 })).toEqual({ outcome: 'dropped', wasSent: true });
    expect(settle(429, headers, start, { class: 2, source: 'own' })).toMatchObject({ outcome: 'held' });
  });

  it('H10: holds an error until the last limit of a 429 ends', () => {
    const headers = { 'x-sentry-rate-limits': '10:error:key, 30:replay:key' };

    expect(settle(429, headers)).toMatchObject({ untilMs: NOW_MS + 30_000 });
  });

  it('names the status as the reason, or an unexpected answer', () => {
    expect(settle(200, {}, '<')).toMatchObject({ outcome: 'retry', reason: 'unexpected_answer' });
    expect(settle(403, {}, '<')).toMatchObject({ outcome: 'retry', reason: 'status_403' });
    expect(settle(403, {}, '{')).toMatchObject({ outcome: 'retry', reason: 'status_403' });
  });

  it('obeys Retry-After for at most five minutes', () => {
    expect(settle(503, { 'retry-after': '3600' })).toMatchObject({ retryAfterMs: 5 * 60_000 });
    expect(settle(503, { 'retry-after': '0' })).toMatchObject({ retryAfterMs: null });
    expect(settle(503)).toMatchObject({ retryAfterMs: null });
  });

  it('keeps 500 characters of X-Sentry-Error, and none without the header', () => {
    expect(settle(400, { 'x-sentry-error': 'x'.repeat(501) })).toMatchObject({
      refusal: { detail: 'x'.repeat(500) },
    });
    expect(settle(400)).toMatchObject({ refusal: { detail: '' } });
  });

  it('returns the items that were removed before sending', () => {
    const discarded = [{ reason: 'ratelimit_backoff', category: 'attachment', quantity: 1 }] as const;
    const response = { status: 200, headers: {}, firstByte: undefined };

    expect(settlementOf(response, spooledEnvelope('{"type":"event"}\n{}'), discarded, NO_LIMITS)).toEqual({
      outcome: 'delivered',
      digest: null,
      discarded,
    });
  });
});
