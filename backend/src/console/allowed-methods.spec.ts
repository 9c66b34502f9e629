import { CONSOLE_CONTROLLERS } from './console.controllers.ts';
import { ConsoleServer } from './console-server.fixture.ts';
import { routesOf } from './controller-routes.fixture.ts';

const ROUTES = CONSOLE_CONTROLLERS.flatMap(routesOf).map((route) =>
  route.replaceAll(/:\w+/g, 'x').split(' '),
);

let server: ConsoleServer;
beforeEach(async () => {
  server = await ConsoleServer.start({ ERRATA_DEMO: 'on' });
});
afterEach(() => server.close());

it.each([
  ['/console/api/session', 'GET, HEAD, POST, DELETE, OPTIONS'],
  ['/console/api/Session/', 'GET, HEAD, POST, DELETE, OPTIONS'],
  ['/console/api/issues?q=a', 'GET, HEAD, OPTIONS'],
  ['/console/api/issues/ABCD-EFGH', 'GET, HEAD, OPTIONS'],
  ['/console/api/issues/status', 'POST, GET, HEAD, OPTIONS'],
  ['/console/api/issues/ABCD-EFGH/notes', 'POST, OPTIONS'],
  ['/console/api/issues/ABCD-EFGH/page-line', 'PUT, OPTIONS'],
  ['/console/api/sessions/1', 'DELETE, OPTIONS'],
  ['/console/api/openapi.json', 'GET, HEAD, OPTIONS'],
  ['/demo/server-error', 'GET, HEAD, OPTIONS'],
])('%s names its methods, for OPTIONS and in a 405', async (path, allow) => {
  const answers = [await server.ask('OPTIONS', path), await server.ask('PATCH', path, {}, {})];

  expect(answers.map(({ status, headers }) => [status, headers.get('allow')])).toEqual([
    [204, allow],
    [405, allow],
  ]);
});

it('leaves each method of a route to it, and a path without a route', async () => {
  const own = await Promise.all(ROUTES.map(([method = '', path = '']) => server.ask(method, path)));
  const others = await Promise.all(ROUTES.map(([, path = '']) => server.ask('PATCH', path)));
  const unknown = [
    '/console/api',
    '/console/api/nope',
    '/console/api/openapiXjson',
    '/console/api/issues/a/b/c',
  ];
  const missing = await Promise.all(unknown.map((path) => server.ask('OPTIONS', path)));

  expect(own.filter(({ status }) => status === 405)).toEqual([]);
  expect(others.map(({ status }) => status)).toEqual(ROUTES.map(() => 405));
  expect(missing.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
});
