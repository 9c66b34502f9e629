import { ConsoleServer, OPERATOR_TOKEN } from './console-server.fixture.ts';

const OPERATOR = { bearer: OPERATOR_TOKEN };

let server: ConsoleServer;
beforeEach(async () => {
  server = await ConsoleServer.start();
});
afterEach(() => server.close());

it('says that the store is away, and when to ask again', async () => {
  await server.parts.store.close();

  const answer = await server.ask('GET', '/console/api/issues', OPERATOR);

  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await answer.json()).not.toHaveProperty('digest');
});
