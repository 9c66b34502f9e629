import { hostname } from 'node:os';
import { Receiver } from '../alerts/receiver.fixture.ts';
import { ConsoleServer } from '../console/console-server.fixture.ts';
import { openHealthWatch } from './open-health.ts';

it('reports a dead letter after five minutes to the targets that want it, with host and page', async () => {
  const receiver = await Receiver.start();
  const address = `http://127.0.0.1:${receiver.port}`;
  const server = await ConsoleServer.start({
    ERRATA_ALERTS: `${address}/health private=on on=health ${address}/new private=on on=new`,
    ERRATA_PUBLIC_URL: 'https://errata.example',
  });
  const { parts } = server;
  let nowMs = Date.UTC(2026, 10, 21, 12, 30);
  const watch = openHealthWatch(parts.options, parts, parts.alerts, () => nowMs);
  const malformed = `{"dsn":"${parts.projects[0].project}"}\n{`;
  await fetch(`${server.url}/tunnel`, { method: 'POST', body: malformed });
  await parts.spool.flush();

  await watch.run();
  nowMs += 5 * 60_000;
  await watch.run();
  await watch.run();
  await server.close();
  await receiver.stop();

  expect(receiver.received.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
    [
      '/health',
      {
        type: 'health.problem',
        timestamp: '2026-11-21T12:30:00.000Z',
        data: {
          kind: 'dead_letters',
          place: null,
          key: null,
          reason: null,
          count: 1,
          host: hostname(),
          since: '2026-11-21T12:30:00.000Z',
          link: 'https://errata.example/console/delivery',
        },
      },
    ],
  ]);
});
