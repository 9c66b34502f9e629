/** @jest-environment jest-fixed-jsdom */
import type { ApiError } from './api-error.ts';
import { problem, serve } from './fake-server.fixture.ts';
import { createQueryClient } from './query-client.ts';
import { requestJson } from './request.ts';
import { SESSION } from './keys.ts';

const SIGNED_IN = { open: true, signedIn: true, ways: ['oidc'], who: 'ann', role: 'operator' };
const SIGNED_OUT = { open: true, signedIn: false, ways: ['oidc'], who: null, role: null };

it('tells of failures that are the fault of the server', async () => {
  serve({ 'GET /x': () => problem(500, 'Internal Server Error', { digest: '7KQ4-M2XD' }) });
  const told: ApiError[] = [];
  const client = createQueryClient((error) => told.push(error));

  await client.prefetchQuery({ queryKey: ['x'], queryFn: () => requestJson('/x') });

  expect(told.map(({ digest }) => digest)).toEqual(['7KQ4-M2XD']);
});

it('does not tell of a store that is away', async () => {
  serve({ 'POST /x': () => problem(503, 'Service Unavailable') });
  const told: ApiError[] = [];
  const client = createQueryClient((error) => told.push(error));
  const change = client
    .getMutationCache()
    .build(client, { mutationFn: () => requestJson('/x', { method: 'POST' }) });

  await expect(change.execute(undefined)).rejects.toMatchObject({ status: 503 });

  expect(told).toEqual([]);
});

it('does not tell of refusals', async () => {
  serve({});
  const told: ApiError[] = [];
  const client = createQueryClient((error) => told.push(error));

  await client.prefetchQuery({ queryKey: ['x'], queryFn: () => requestJson('/x') });

  expect(told).toEqual([]);
});

it('knows from any 401 that the session is over', async () => {
  serve({ 'GET /x': () => problem(401, 'Unauthorized') });
  const client = createQueryClient(() => undefined, 0);
  client.setQueryData([SESSION], SIGNED_IN);

  await client.prefetchQuery({ queryKey: ['x'], queryFn: () => requestJson('/x') });

  expect(client.getQueryData([SESSION])).toEqual(SIGNED_OUT);
});

it('knows it from a change that was refused too', async () => {
  serve({ 'POST /x': () => problem(401, 'Unauthorized') });
  const client = createQueryClient(() => undefined, 0);
  client.setQueryData([SESSION], SIGNED_IN);
  const change = client
    .getMutationCache()
    .build(client, { mutationFn: () => requestJson('/x', { method: 'POST' }) });

  await expect(change.execute(undefined)).rejects.toMatchObject({ status: 401 });

  expect(client.getQueryData([SESSION])).toEqual(SIGNED_OUT);
});

it.each([
  ['a passing failure twice', 503, 3],
  ['no other failure', 500, 1],
])('retries %s', async (_, status, count) => {
  const { requests } = serve({ 'GET /x': () => problem(status, 'Failed') });
  const client = createQueryClient(() => undefined, 0);

  await client.prefetchQuery({ queryKey: ['x'], queryFn: () => requestJson('/x') });

  expect(requests).toHaveLength(count);
});
