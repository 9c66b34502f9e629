import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { readConfig } from '../config/config.ts';
import type { FailedRequest, FailureRecorder } from '../errors/failure-recorder.ts';
import { HttpServerAdapter } from './http-server.ts';
import type { Tunnel } from '../tunnel/tunnel.ts';

/** A tunnel with a bug, and a record of the failures that come of it. */
function brokenTunnel(): {
  tunnel: Tunnel;
  failures: FailureRecorder;
  recorded: (readonly [unknown, FailedRequest])[];
} {
  const recorded: (readonly [unknown, FailedRequest])[] = [];
  const tunnel = { serve: () => Promise.reject(new TypeError('a bug')) } as unknown as Tunnel;
  const failures = {
    record: (thrown: unknown, request: FailedRequest) => {
      recorded.push([thrown, request]);
      return { digest: '7KQ4-M2XD', reference: '0000-0000' };
    },
  } as unknown as FailureRecorder;
  return { tunnel, failures, recorded };
}

describe('FrontDoorAdapter', () => {
  let door: HttpServerAdapter;
  let recorded: (readonly [unknown, FailedRequest])[];
  let server: Server;
  let port: number;

  beforeEach(async () => {
    const broken = brokenTunnel();
    recorded = broken.recorded;
    door = new HttpServerAdapter(readConfig({}), broken.tunnel, broken.failures);
    door.initHttpServer();
    server = door.getHttpServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });

  afterEach(() => server.close());

  it('answers 500 with a digest when the tunnel itself fails, and lives on', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/tunnel`, { method: 'POST', body: 'x' });

    expect(answer.status).toBe(500);
    expect(answer.headers.get('x-errata-digest')).toBe('7KQ4-M2XD');
    expect(await answer.json()).toEqual({ detail: 'internal error', causes: [] });
    expect(recorded).toMatchObject([[{ message: 'a bug' }, { route: '/tunnel', status: 500 }]]);
    await door.drain();
  });

  it('drains at once although a connection is open that never sent anything', async () => {
    const idle = connect(port, '127.0.0.1');
    await once(server, 'connection');
    const isClosed = once(idle, 'close');

    await door.drain();

    await expect(isClosed).resolves.toBeDefined();
  });
});
