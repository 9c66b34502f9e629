import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Dispatcher } from 'undici';
import { EgressRefused, guardedLookup } from './egress.ts';
import { dispatcherTo, type EgressProxy } from './outgoing.ts';
import { DIRECT, Proxy } from './proxy.fixture.ts';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const FINAL = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
const LOOPBACK = guardedLookup(true, (_name, _options, callback) =>
  callback(null, [{ address: '127.0.0.1', family: 4 }]),
);
const GUARDED = guardedLookup(false, (_name, _options, callback) =>
  callback(null, [{ address: '10.0.0.7', family: 4 }]),
);

describe('dispatcherTo', () => {
  let server: Server;
  let proxy: Proxy;
  let response: string;
  const open: Dispatcher[] = [];

  beforeEach(async () => {
    response = FINAL;
    server = createServer((socket) => {
      socket.on('error', () => undefined).on('data', () => socket.write(response));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    proxy = await Proxy.start();
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((dispatcher) => dispatcher.destroy()));
    server.close();
    await proxy.stop();
  });

  const originOf = (host = '127.0.0.1') => `http://${host}:${(server.address() as AddressInfo).port}`;

  /** Returns the status of a request, or the code of its failure. */
  async function statusOf(
    settings: EgressProxy,
    { origin = originOf(), lookup = LOOPBACK, timeout = 120_000 } = {},
  ): Promise<unknown> {
    const dispatcher = dispatcherTo(origin, { connections: 1, connect: { lookup, timeout } }, settings);
    open.push(dispatcher);
    try {
      const { statusCode, body } = await dispatcher.request({
        origin,
        path: '/',
        method: 'POST',
        body: '{}',
      });
      await body.dump();
      return statusCode;
    } catch (error) {
      return error instanceof EgressRefused ? error.name : Reflect.get(Object(error), 'code');
    }
  }

  it('connects directly without a proxy, whatever the environment says', async () => {
    const before = process.env;
    process.env = { ...before, HTTP_PROXY: proxy.settings.httpProxy ?? '', http_proxy: 'http://127.0.0.1:1' };

    const status = await statusOf(DIRECT);
    const withOther = await statusOf({ ...DIRECT, httpsProxy: 'http://127.0.0.1:1' });
    process.env = before;

    expect([status, withOther, proxy.connects]).toEqual([200, 200, []]);
  });

  it('reaches a server through a tunnel, as the user of the proxy, in spite of NO_PROXY in the environment', async () => {
    const before = process.env;
    process.env = { ...before, NO_PROXY: '*', no_proxy: '*' };
    const httpProxy = `http://ann:p%40ss@127.0.0.1:${proxy.port}`;

    const status = await statusOf({ ...DIRECT, httpProxy });
    process.env = before;

    expect([status, proxy.connects]).toEqual([200, [originOf().replace('http://', '')]]);
    expect(proxy.credentials).toEqual([`Basic ${Buffer.from('ann:p@ss').toString('base64')}`]);
  });

  it.each([
    ['hooks.example', true],
    ['.example', true],
    ['*', true],
    ['other.example, hooks.example', true],
    ['ks.example', false],
    ['hooks.example:1', false],
    ['', false],
  ])('with NO_PROXY %j connects directly to hooks.example: %s', async (noProxy, isDirect) => {
    await statusOf({ ...proxy.settings, noProxy }, { origin: originOf('hooks.example') });

    expect(proxy.connects.length === 0).toBe(isDirect);
  });

  it('guards the address of a host that NO_PROXY names', async () => {
    const settings = { ...proxy.settings, noProxy: 'hooks.example' };

    expect(await statusOf(settings, { origin: originOf('hooks.example'), lookup: GUARDED })).toBe(
      'EgressRefused',
    );
  });

  it.each([
    [407, 'proxy_407'],
    [403, 'proxy_403'],
    [502, 'proxy_502'],
    [null, 'proxy_closed'],
  ])('names the fault of a proxy that answers %s: %s', async (status, code) => {
    proxy.status = status;

    expect(await statusOf(proxy.settings)).toBe(code);
    expect(proxy.connects).toHaveLength(1);
  });

  it('does not wait for a proxy that never answers', async () => {
    proxy.status = undefined;

    // oxlint-disable-next-line timing/limit -- No answer comes, however long the time.
    expect(await statusOf(proxy.settings, { timeout: 50 })).toBe('UND_ERR_HEADERS_TIMEOUT');
  });

  it('ends where a proxy sends bytes of its own into the tunnel', async () => {
    proxy.early = FINAL;

    expect(await statusOf(proxy.settings)).toBe('proxy_data');
  });

  it('skips interim responses in a tunnel, too', async () => {
    response = CONTINUE + FINAL;

    expect(await statusOf(proxy.settings)).toBe(200);
  });
});
