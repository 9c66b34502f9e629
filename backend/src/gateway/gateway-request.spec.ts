import { faultRoute, gatewayFault } from './gateway-fault.ts';
import { type GatewayRequest, readGatewayRequest } from './gateway-request.ts';
import { RECORDED, received } from './gateway-request.fixture.ts';

const NOTHING: GatewayRequest = {
  status: null,
  accept: undefined,
  destination: undefined,
  method: 'GET',
  path: '/',
  service: 'unknown',
  tags: {},
  requestId: null,
  traceId: null,
  digest: null,
  retryAfterSeconds: null,
};
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const DEAD = 'Y1C4-2NGZ';
const ORDERS = 'JQD7-3BC5';
const SENTRY_TRACE = '0af7651916cd43dd8448eb211c80319c';

/** By the recorded request: its values, and the digest of its fault. People hold these digests: another one is a break. */
const VALUES: Readonly<Record<keyof typeof RECORDED, readonly [Partial<GatewayRequest>, digest: string]>> = {
  'nginx, a dead backend': [
    {
      status: 502,
      accept: 'text/html,*/*;q=0.8',
      destination: 'document',
      path: '/dead/cart?token=[Filtered]&page=2',
      tags: { upstream: '127.0.0.1:38999' },
      requestId: 'b6fcd35edc519ed72507951c216a86d6',
    },
    DEAD,
  ],
  'nginx, a failed POST': [
    {
      status: 500,
      accept: 'application/json',
      method: 'POST',
      path: '/orders/4711',
      tags: { upstream: '127.0.0.1:38080' },
      requestId: 'd59406f042df3e6846cceb05880f043d',
      traceId: SENTRY_TRACE,
    },
    ORDERS,
  ],
  'nginx, a failure with a digest': [
    {
      status: 500,
      accept: 'application/json',
      path: '/own',
      tags: { upstream: '127.0.0.1:38080' },
      requestId: 'c5ad7845bb77a1768c01c45e6fcaf29d',
      traceId: TRACE,
      digest: '7KQ4-M2XD',
    },
    '3BJC-08MM',
  ],
  'nginx, a 503 with Retry-After': [
    {
      status: 503,
      accept: 'application/json',
      path: '/retry',
      tags: { upstream: '127.0.0.1:38080' },
      requestId: '26d9054d1bc614138a96ee3294753ed0',
      retryAfterSeconds: 30,
    },
    DEAD,
  ],
  'HAProxy, a dead backend': [
    {
      status: 503,
      accept: 'text/html',
      path: '/cart?token=[Filtered]',
      requestId: '7F000001:BCDE_7F000001:94CB_6B0CD0B5_0000:3A1A',
    },
    DEAD,
  ],
  'Caddy, a failed POST': [
    {
      status: 500,
      accept: 'text/html',
      method: 'POST',
      path: '/orders/4711?token=[Filtered]',
      requestId: '6ea6b15c-0947-4db7-a730-70afd6a4da62',
      traceId: SENTRY_TRACE,
    },
    ORDERS,
  ],
  'Caddy, a dead backend': [
    {
      status: 502,
      accept: 'text/html',
      method: 'POST',
      path: '/cart',
      tags: { cause: 'dial tcp 127.0.0.1:38999: connect: connection refused' },
      requestId: '3e3e8cde-f573-497e-8b41-762f06befa81',
    },
    DEAD,
  ],
  'Envoy Gateway': [
    {
      status: 503,
      accept: 'text/html',
      destination: 'document',
      method: null,
      path: null,
      requestId: '0c9a34a8-65a1-9d39-8d38-1b0f6f5f0f47',
      traceId: TRACE,
    },
    DEAD,
  ],
  'Traefik, errors': [
    {
      status: 500,
      accept: 'application/json',
      method: null,
      path: '/orders/4711?sort=name&password=[Filtered]',
      requestId: '4f0c6d4f-1d43-4b8f-9a43-f44b6a2f6a10',
    },
    ORDERS,
  ],
  'Traefik, annotations of nginx': [
    {
      status: 504,
      accept: 'text/html',
      path: '/orders/4711',
      tags: { ingress: 'public' },
      requestId: '4f0c6d4f-1d43-4b8f-9a43-f44b6a2f6a10',
    },
    'RE09-QQK5',
  ],
  'ingress-nginx': [
    {
      status: 503,
      accept: 'text/html',
      path: '/orders/4711',
      service: 'prod/shop',
      tags: { ingress: 'public' },
      requestId: '98b1f3a1c26b0d6e5c5fb0b7a3f1f7d1',
    },
    'MR9G-VYH3',
  ],
};

const cases = Object.keys(RECORDED) as (keyof typeof RECORDED)[];

describe('readGatewayRequest', () => {
  it.each(cases)('reads the request of %s', (name) => {
    const [values, digest] = VALUES[name];

    const read = readGatewayRequest(received(RECORDED[name]));

    expect(read).toEqual({ ...NOTHING, service: 'shop', ...values });
    const { status, service, path } = read;
    const fault = gatewayFault(status ?? 0, service, faultRoute(status ?? 0, path));
    expect(fault.digest.shown).toBe(digest);
  });

  /** By the target and headers of a GET: the values that differ from {@link NOTHING}. */
  it.each<[string, readonly string[], Partial<GatewayRequest>]>([
    ['/', [], {}],
    ['/503', [], { status: 503, method: null, path: null }],
    ['/503?url=', [], { status: 503, method: null, path: null }],
    ['/503?url=%0a', [], { status: 503, method: null, path: null }],
    ['/503?url=%E0%A4%A', [], { status: 503, method: null, path: null }],
    ['/503?url=http%3A%2F%2Fu%3Ap%40h%2Fcart', [], { status: 503, method: null, path: '/cart' }],
    ['/503?url=/a&url=/b', [], { status: 503, method: null, path: '/a' }],
    ['/503', ['X-Original-Method: PUT'], { status: 503, method: 'PUT', path: null }],
    ['/503/', [], { path: '/503/' }],
    ['/5033', [], { path: '/5033' }],
    ['/200', [], { path: '/200' }],
    ['/cart?url=/other', ['X-Code: 500'], { status: 500, path: '/cart?url=/other' }],
    ['/503?url=/cart', ['X-Code: 200'], { method: null, path: '/cart' }],
    ['http://shop.example/cart?a=1', ['X-Code: 500'], { status: 500, path: '/cart?a=1' }],
    ['*', ['X-Code: 500'], { status: 500, path: null }],
    ...['399', '600', '4040', '50', '-503', '503 ', '5e2', '０', 'abc'].map<
      [string, readonly string[], Partial<GatewayRequest>]
    >((code) => ['/', [`X-Code: ${code}`], { status: code === '503 ' ? 503 : null }]),
    ['/', ['X-Code: 502', 'X-Code: {status}'], {}],
    ['/', ['X-Code: 502', 'X-Code: 503'], { status: 503 }],
    ['/', ['X-Original-URI: cart'], { path: null }],
    ['/', ['X-Original-URI: //evil.example/cart'], { path: '//evil.example/cart' }],
    ['/', ['X-Original-URI: /a?next=https://u:pw@h/'], { path: '/a?next=https://[Filtered]@h/' }],
    ['/', ['X-Original-URI: /in?code=4%2F0A&state=s#code=x'], { path: '/in?code=[Filtered]&state=s' }],
    ['/', ['X-Original-URI: /a#access=s3cret'], { path: '/a' }],
    ['/', ['X-Errata-Upstream: http://u:pw@h:80/'], { tags: { upstream: 'http://[Filtered]@h:80/' } }],
    ['/', ['X-Errata-Cause: bad token=s3cret'], { tags: { cause: 'bad token=[Filtered]' } }],
    ['/', ['Host: Shop.Example:8443'], { service: 'shop.example' }],
    ['/', ['Host: [2001:db8::1]:8443'], { service: '2001-db8-1' }],
    ['/', ['Host: h', 'X-Service-Name: {args.0}'], { service: 'h' }],
    ['/', ['Host: h', 'X-Service-Name: §§', 'X-Namespace: n'], { service: 'n/' }],
    ['/', ['Host: h', 'X-Namespace: n'], { service: 'h' }],
    ['/', ['X-Service-Name: My_Shop <b>'], { service: 'my_shop-b' }],
    ['/', ['X-Amzn-Trace-Id: Root=1-a'], { tags: { 'x-amzn-trace-id': 'Root=1-a' } }],
    ['/', ['X-Request-ID: short'], {}],
    ['/', ['X-Request-ID: has a blank in it'], {}],
    ['/', ['X-Errata-Digest: a b'], {}],
    ['/', [`X-Errata-Digest: ${'d'.repeat(65)}`], {}],
    ['/', ['X-Errata-Digest: <b>'], {}],
    ['/', ['Retry-After: 0'], {}],
    ['/', ['Retry-After: 3601'], {}],
    ['/', ['Retry-After: Wed, 21 Oct 2026 07:28:00 GMT'], {}],
    ['/', ['Retry-After: 3600'], { retryAfterSeconds: 3_600 }],
    [
      '/',
      [`traceparent: 00-${'0'.repeat(32)}-1111111111111111-01`, `X-B3-TraceId: ${TRACE}`],
      { traceId: TRACE },
    ],
    ['/', [`sentry-trace: ${SENTRY_TRACE}-1`, `traceparent: 00-${TRACE}-1-01`], { traceId: SENTRY_TRACE }],
    ['/', [`traceparent: 00-${TRACE.toUpperCase()}-1-01`], { traceId: TRACE }],
    ['/', ['X-B3-TraceId: 0123456789abcdef'], {}],
    ['/', [`sentry-trace: ${TRACE}0`], {}],
    ['/', ['Cookie: sid=1', 'Authorization: Bearer abc', 'X-Forwarded-Host: evil', 'Referer: /a'], {}],
  ])('reads %s with %j', (url, lines, values) => {
    const headers = lines.map((line) => {
      const [name = '', ...value] = line.split(': ');
      return [name, value.join(': ')] as const;
    });

    const read = readGatewayRequest(received({ method: 'GET', url, headers }));

    expect(read).toEqual({ ...NOTHING, ...(url.startsWith('/') ? { path: url } : {}), ...values });
  });
});

describe('readGatewayRequest with long values', () => {
  it.each<[string, Partial<GatewayRequest>]>([
    ['X-Original-URI: /', { path: `/${'a'.repeat(2_047)}` }],
    ['X-Service-Name: ', { service: 'a'.repeat(128) }],
    ['CF-Ray: ', { tags: { 'cf-ray': 'a'.repeat(256) } }],
    ['X-Request-ID: ', {}],
    [`X-Original-URI: /?password=`, { path: '/?password=[Filtered]' }],
    [`X-Original-URI: /${'b'.repeat(2_040)}//u:p@`, { path: `/${'b'.repeat(2_040)}//[Filt` }],
    [`X-Errata-Cause: ${'b'.repeat(250)} //u:p@`, { tags: { cause: `${'b'.repeat(250)} //[Fi` } }],
  ])('cuts or drops %s', (start, values) => {
    const [name = '', value = ''] = start.split(': ');

    const read = readGatewayRequest(
      received({ method: 'GET', url: '/', headers: [[name, value + 'a'.repeat(9_000)]] }),
    );

    expect(read).toEqual({ ...NOTHING, ...values });
  });
});

describe('gatewayFault', () => {
  it('is one fault for all paths of a service that is away', () => {
    const faults = [502, 503].flatMap((status) =>
      ['/a', '/b/1', null].map((path) => gatewayFault(status, 'shop', faultRoute(status, path))),
    );

    expect(new Set(faults.map(({ digest }) => digest.key)).size).toBe(1);
    expect(faults[0]?.title).toBe('GatewayFailure: shop is unreachable');
  });

  it.each([
    [504, '/orders/4711?a=1', 'GatewayFailure: shop timed out at /orders/<n>'],
    [500, '/orders/4711', 'GatewayFailure: shop failed at /orders/<n>'],
    [520, null, 'GatewayFailure: shop failed'],
  ])('names a %i of %s', (status, path, title) => {
    expect(gatewayFault(status, 'shop', faultRoute(status, path)).title).toBe(title);
  });

  it('differs by service, kind and route', () => {
    const of = (status: number, service: string, path: string) =>
      gatewayFault(status, service, faultRoute(status, path)).digest.key;

    const keys = [
      of(500, 'shop', '/a'),
      of(500, 'shop', '/b'),
      of(504, 'shop', '/a'),
      of(503, 'shop', '/a'),
      of(500, 'cart', '/a'),
    ];

    expect(new Set(keys).size).toBe(5);
  });
});
