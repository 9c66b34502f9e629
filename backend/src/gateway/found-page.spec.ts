import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConsoleServer, OPERATOR_TOKEN } from '../console/console-server.fixture.ts';
import type { EventDetail } from '../contract/event-api.ts';
import type { FindAnswer } from '../contract/find-api.ts';
import { openGateway } from '../open/open-gateway.ts';

const OPERATOR = { bearer: OPERATOR_TOKEN };
const REQUEST_ID = '7F000001:BCDE_7F000001:94CB';

it('is found by its digest, its reference and the id of the request, and goes to no upstream', async () => {
  const dsn = 'http://key@127.0.0.1:9/1';
  const server = await ConsoleServer.start({ SENTRY_DSN: dsn });
  const listener = createServer(openGateway(server.parts)).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const find = async (text: string) => {
    for (;;) {
      const found = await server.read<FindAnswer>(
        `/console/api/find?q=${encodeURIComponent(text)}`,
        OPERATOR,
      );
      if (found.issues.length > 0) return found;
    }
  };

  const page = await fetch(`http://127.0.0.1:${port}/orders/4711?a=1`, {
    headers: { 'X-Code': '500', 'X-Service-Name': 'shop', 'X-Request-ID': REQUEST_ID },
  });
  const names = ['digest', 'reference'].map((name) => page.headers.get(`x-errata-${name}`) ?? '');

  expect(names[0]).toBe('JQD7-3BC5');
  for (const text of [...names, REQUEST_ID]) {
    const { issues } = await find(text);
    expect(issues).toMatchObject([{ digest: names[0], title: 'GatewayFailure: shop failed at /orders/<n>' }]);
  }
  const { eventId } = await find(REQUEST_ID);
  const event = await server.read<EventDetail>(`/console/api/events/${eventId}`, OPERATOR);
  expect(event).toMatchObject({
    provenance: { origin: 'gateway', isConfirmed: true },
    path: '/orders/4711',
    tags: { service: 'shop', status: '500' },
    delivery: { state: 'stored_only', upstream: null },
  });
  expect((await server.parts.spool.ask('counts')).forUpstreams).toEqual([]);
  listener.close();
  await server.close();
});
