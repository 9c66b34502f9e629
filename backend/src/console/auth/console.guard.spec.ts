import { ConsoleServer } from '../console-server.fixture.ts';

it('keeps a console without a way to sign in closed, and names the settings that open it', async () => {
  const server = await ConsoleServer.start({ ERRATA_CONSOLE_TOKEN: '', ERRATA_SUPPORT_TOKEN: '' });

  const answer = await server.ask('GET', '/console/api/find?q=7KQ4-M2XD');

  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('ERRATA_CONSOLE_TOKEN') });
  await server.close();
});
