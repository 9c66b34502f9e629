import request from 'supertest';
import { Metrics } from '../telemetry/metrics.ts';
import { managementServer } from './management-server.ts';
import { Readiness } from './readiness.ts';

const server = managementServer(new Readiness({ isWritable: true, rejecting: null }), new Metrics());

it.each([
  ['get', '/livez', 200, undefined],
  ['head', '/metrics', 200, undefined],
  ['options', '/livez', 204, 'GET, HEAD, OPTIONS'],
  ['options', '/metrics?a', 204, 'GET, HEAD, OPTIONS'],
  ['post', '/readyz', 405, 'GET, HEAD, OPTIONS'],
  ['delete', '/startupz', 405, 'GET, HEAD, OPTIONS'],
  ['options', '/nope', 404, undefined],
] as const)('answers %s %s with %i', async (method, path, status, allow) => {
  const answer = await request(server)[method](path);

  expect([answer.status, answer.headers['allow']]).toEqual([status, allow]);
});
