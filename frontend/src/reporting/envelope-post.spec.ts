import { EnvelopePost } from './envelope-post.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');
const BODY = new TextEncoder().encode('{}\n');

async function answerTo(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body: string | null = '{}',
) {
  const post = new EnvelopePost(
    '/tunnel',
    async () => new Response(body, { status, headers }),
    () => NOW_MS,
  );
  return post.post(BODY, true);
}

const TUNNEL_ERROR = { 'X-Sentry-Error': 'malformed' };

it.each([
  [200, 'accepted'],
  [202, 'accepted'],
  [400, 'refused'],
  [403, 'refused'],
  [413, 'refused'],
  [415, 'refused'],
  [429, 'limited'],
  [404, 'later'],
  [408, 'later'],
  [500, 'later'],
  [502, 'later'],
  [503, 'later'],
  [504, 'later'],
  [530, 'later'],
])('takes a %d of the tunnel for %s', async (status, verdict) => {
  expect((await answerTo(status, TUNNEL_ERROR)).verdict).toBe(verdict);
});

it.each([
  [200, '<!doctype html><title>Sign in</title>'],
  [200, ''],
  [204, null],
  [200, '[]'],
  [200, 'null'],
  [200, '"ok"'],
  [400, '{}'],
  [403, '<h1>Blocked</h1>'],
  [413, '<h1>413 Request Entity Too Large</h1>'],
  [415, '{}'],
])('takes a %d of another server for later, body %j', async (status, body) => {
  expect((await answerTo(status, {}, body)).verdict).toBe('later');
});

it('takes a tunnel that is not reached for one that comes back', async () => {
  const post = new EnvelopePost('/tunnel', () => Promise.reject(new TypeError('Failed to fetch')));

  expect(await post.post(BODY, true)).toEqual({
    verdict: 'later',
    retryAfterMs: null,
    status: null,
    rateLimits: null,
  });
});

it.each([
  ['seconds', 503, { 'Retry-After': '5' }, 5_000],
  ['parts of a second', 503, { 'Retry-After': '1.5' }, 1_500],
  ['a date', 503, { 'Retry-After': 'Sat, 21 Nov 2026 12:00:30 GMT' }, 30_000],
  ['a date that is over', 503, { 'Retry-After': 'Sat, 21 Nov 2026 11:00:00 GMT' }, 0],
  ['more than an hour', 503, { 'Retry-After': '86400' }, 3_600_000],
  ['nonsense', 503, { 'Retry-After': 'soon' }, null],
  ['nothing', 503, {}, null],
  ['nothing with a 429', 429, {}, 60_000],
  ['nonsense with a 429', 429, { 'Retry-After': 'soon' }, 60_000],
])('reads a Retry-After of %s', async (_name, status, headers, expected) => {
  expect((await answerTo(status, headers)).retryAfterMs).toBe(expected);
});

it('hands the rate limits on', async () => {
  const answer = await answerTo(200, { 'X-Sentry-Rate-Limits': '60:replay:key' });

  expect(answer.rateLimits).toBe('60:replay:key');
});

it('follows no redirect: its 200 would come from another server', async () => {
  const asked: RequestInit[] = [];
  const post = new EnvelopePost('/tunnel', async (_url, request = {}) => {
    asked.push(request);
    return new Response();
  });

  await post.post(BODY, true);

  expect(asked[0]?.redirect).toBe('error');
});

/** A tunnel without answers, and the keepalive flag of each request. */
function silentTunnel() {
  const outliving: boolean[] = [];
  const answers: (() => void)[] = [];
  const post = new EnvelopePost('/tunnel', (_url, request = {}) => {
    outliving.push(request.keepalive === true);
    return new Promise((resolve) => answers.push(() => resolve(new Response())));
  });
  return { post, outliving, answers };
}

it('lets requests outlive the page up to the bytes that browsers allow', async () => {
  const { post, outliving, answers } = silentTunnel();

  const first = post.post(new Uint8Array(40_000), true);
  void post.post(new Uint8Array(20_001), true);
  void post.post(new Uint8Array(20_000), true);
  answers[0]?.();
  await first;
  void post.post(new Uint8Array(40_000), true);

  expect(outliving).toEqual([true, false, true, true]);
});

it('lets no more than fourteen requests outlive the page', () => {
  const { post, outliving } = silentTunnel();

  for (let request = 0; request < 15; request += 1) void post.post(BODY, true);

  expect(outliving).toEqual([...Array.from({ length: 14 }, () => true), false]);
});

it('lets no request outlive the page that should not', () => {
  const { post, outliving } = silentTunnel();

  void post.post(BODY, false);

  expect(outliving).toEqual([false]);
});
