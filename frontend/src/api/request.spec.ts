import { ApiError } from './api-error.ts';
import { json, problem, serve } from './fake-server.fixture.ts';
import { requestJson } from './request.ts';

async function failureOf(request: Promise<unknown>): Promise<ApiError> {
  const outcome = await request.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(outcome instanceof ApiError)) throw new Error('did not fail as a request fails', { cause: outcome });
  return outcome;
}

it('answers what the server answered', async () => {
  serve({ 'GET /console/api/issues': () => json({ issues: [], next: null }) });

  expect(await requestJson('/console/api/issues')).toEqual({ issues: [], next: null });
});

it('sends a body as JSON', async () => {
  const { requests } = serve({ 'POST /console/api/session': () => json({}) });

  await requestJson('/console/api/session', { method: 'POST', body: { token: 't' } });

  expect(requests).toEqual(['POST /console/api/session {"token":"t"}']);
});

it('is content with no content', async () => {
  serve({ 'DELETE /console/api/session': () => new Response(null, { status: 204 }) });

  expect(await requestJson('/console/api/session', { method: 'DELETE' })).toBeUndefined();
});

it('fails with the problem, the digest and the reference the server gave', async () => {
  serve({
    'GET /x': () => problem(500, 'Internal Server Error', { digest: '7KQ4-M2XD', reference: 'ABCD-1234' }),
  });

  const error = await failureOf(requestJson('/x'));

  expect(error).toMatchObject({
    name: 'ApiError',
    status: 500,
    digest: '7KQ4-M2XD',
    reference: 'ABCD-1234',
  });
});

it('takes digest and reference from the headers when the body is not ours', async () => {
  serve({
    'GET /x': () =>
      new Response('<h1>Bad gateway', {
        status: 502,
        headers: { 'X-Errata-Digest': 'M2Q8-00TZ', 'X-Errata-Reference': 'ABCD-1234' },
      }),
  });

  expect(await failureOf(requestJson('/x'))).toMatchObject({
    digest: 'M2Q8-00TZ',
    reference: 'ABCD-1234',
    problem: { status: 502 },
  });
});

it('fails when an answer is no JSON: a portal or a proxy stands between', async () => {
  serve({ 'GET /x': () => new Response('<h1>Please log in to the network', { status: 200 }) });

  expect((await failureOf(requestJson('/x'))).problem.title).toBe('Unreadable response');
});

it('keeps typed text out of its message, which is reported', async () => {
  serve({});

  expect((await failureOf(requestJson('/console/api/find?q=secret'))).message).toBe(
    'GET /console/api/find answered status 404',
  );
});
