import { NOT_FOUND_TEXT, SERVER_ERROR_TEXT } from '../contract/texts.ts';
import { referenceOf, symbolsOf } from '../digest/crockford.ts';
import { readEnvelopeHeader } from '../envelope/envelope-header.ts';
import { errorPages } from '../errors/error-pages.fixture.ts';
import { pageHelpOf } from '../errors/page-help.ts';
import type { NewEnvelope } from '../sink/queued-envelope.ts';
import { APPENDED, DEAD, DEAD_DIGEST, OpenedListener, PROJECT } from './gateway-listener.fixture.ts';

let opened: OpenedListener;

async function reopen(...options: Parameters<typeof OpenedListener.open>): Promise<void> {
  opened.close();
  opened = await OpenedListener.open(...options);
}

beforeEach(async () => {
  opened = await OpenedListener.open();
});

afterEach(() => opened.close());

/** Returns the event in an envelope. */
function eventIn(envelope: NewEnvelope | undefined): unknown {
  const [, payload = ''] = Buffer.from(envelope?.items ?? [])
    .toString()
    .split('\n');
  return JSON.parse(payload);
}

describe('the page of a gateway', () => {
  it.each(['text/html', 'application/problem+json', 'text/plain'])(
    'is not sent before its event is on disk, as %s',
    async (type) => {
      await reopen({}, false);
      const { answer } = await opened.askUntilAppended({ ...DEAD, 'X-Format': type });

      expect(opened.responses[0]?.headersSent).toBe(false);
      opened.commits[0]?.resolve(APPENDED);
      const { status, headers } = await answer;
      expect([status, headers.get('content-type')?.split(';')[0]]).toEqual([503, type]);
      expect(headers.get('x-errata-reference')).toBe(referenceOf(opened.appended[0]?.eventId ?? ''));
    },
  );

  it('has the digest and no reference when the commit comes too late', async () => {
    await reopen({}, false);
    const { answer } = await opened.askUntilAppended(DEAD);

    expect(await opened.time.toNextTimer()).toBe(250);
    const response = await answer;
    expect(response.headers.get('x-errata-digest')).toBe(DEAD_DIGEST);
    expect(response.headers.has('x-errata-reference')).toBe(false);
    expect(await response.json()).not.toHaveProperty('reference');
  });

  it('has no reference when the event is lost, which the log says once a minute', async () => {
    await reopen({}, false);
    for (const _ of 'ab') {
      const { answer } = await opened.askUntilAppended(DEAD);
      opened.commits.at(-1)?.reject(new Error('disk full'));
      expect((await answer).headers.has('x-errata-reference')).toBe(false);
    }

    expect(opened.lines).toEqual([
      expect.objectContaining({
        msg: 'gateway_page_lost',
        err: expect.objectContaining({ message: 'disk full' }),
      }),
    ]);
  });

  it('is that of an own failure', async () => {
    const response = await opened.ask({ ...DEAD, 'X-Format': 'text/html', 'Sec-Fetch-Dest': 'document' });

    expect(await response.text()).toContain(`<h1>${SERVER_ERROR_TEXT}</h1><p>Digest: Y1C4-2NGZ</p>`);
    expect(Object.fromEntries(response.headers)).toEqual({
      'cache-control': 'no-store',
      connection: 'keep-alive',
      'content-length': expect.any(String),
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'content-type': 'text/html; charset=utf-8',
      date: expect.any(String),
      'keep-alive': expect.any(String),
      'retry-after': expect.stringMatching(/^([5-9]|10)$/),
      vary: 'Accept, Sec-Fetch-Dest',
      'x-content-type-options': 'nosniff',
      'x-errata-digest': DEAD_DIGEST,
      'x-errata-reference': expect.stringMatching(/^.{4}-.{4}$/),
      'x-robots-tag': 'noindex',
    });
  });

  it('has the problem details of the original request', async () => {
    const response = await opened.ask({ ...DEAD, 'X-Request-ID': 'request-4711', 'Retry-After': '77' });

    expect(response.headers.get('retry-after')).toBe('77');
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Service Unavailable',
      status: 503,
      detail: SERVER_ERROR_TEXT,
      instance: '/cart',
      digest: DEAD_DIGEST,
      reference: response.headers.get('x-errata-reference'),
      request_id: 'request-4711',
      retryable: true,
      retry_after: 77,
    });
  });

  it.each([
    ['POST', '/', { 'X-Original-Method': 'POST' }, '/cart'],
    ['unknown', '/503', { 'X-Original-URI': '' }, undefined],
  ])('is not retryable after a request whose method is %s', async (_, path, headers, instance) => {
    const problem = (await (await opened.ask({ ...DEAD, ...headers }, path)).json()) as Record<
      string,
      unknown
    >;

    expect(problem).toMatchObject({ retryable: false, request_id: expect.stringMatching(/^[\da-f-]{36}$/) });
    expect(problem['instance']).toBe(instance);
  });

  it('has no body after HEAD', async () => {
    const response = await opened.ask({ ...DEAD, 'X-Format': 'text/html' }, '/', { method: 'HEAD' });

    expect([response.status, await response.text()]).toEqual([503, '']);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(100);
  });

  it('has the line of an operator on its fault, where pages are helpful', async () => {
    const lineOf = async (key: string): Promise<string> => `Back soon (${symbolsOf(key)})`;
    const settings = { errorPage: 'helpful', basePath: '', supportUrl: null } as const;
    await reopen({ pages: errorPages(pageHelpOf(settings, { lineOf })) });

    const page = await (await opened.ask({ ...DEAD, 'X-Format': 'text/html' })).text();

    expect(page).toContain('Back soon (Y1C4-2NGZ)');
    expect(page).toContain('<p>Reference: <code>');
  });

  it.each([
    ['X-Code', { 'X-Code': '403' }, 403, 'Forbidden'],
    ['X-Code', { 'X-Code': '404' }, 404, NOT_FOUND_TEXT],
    ['no status', {}, 404, NOT_FOUND_TEXT],
  ])('of a client error by %s records nothing', async (_, headers, status, text) => {
    const response = await opened.ask({ ...headers, 'X-Format': 'text/html', 'X-Original-URI': '/missing' });

    expect([response.status, opened.appended]).toEqual([status, []]);
    expect(response.headers.has('x-errata-digest')).toBe(false);
    expect(await response.text()).toContain(text);
  });

  it('says in the log, once a minute, that a gateway names no status', async () => {
    for (const _ of 'ab') await opened.ask({ 'X-Service-Name': 'shop' });

    expect(opened.lines).toEqual([
      expect.objectContaining({ msg: 'gateway_no_status', address: '127.0.0.1', service: 'shop' }),
    ]);
  });

  it('shows the digest of the backend, which has reported it', async () => {
    const response = await opened.ask({ ...DEAD, 'X-Errata-Digest': 'checkout-17' });

    expect(await response.json()).toMatchObject({ status: 503, digest: 'checkout-17' });
    expect(response.headers.has('x-errata-reference')).toBe(false);
    expect(opened.appended).toEqual([]);
  });

  it('names no event that is not stored, where pages are helpful', async () => {
    const settings = { errorPage: 'helpful', basePath: '', supportUrl: null } as const;
    await reopen({ pages: errorPages(pageHelpOf(settings, { lineOf: async () => null })) });

    const response = await opened.ask({ ...DEAD, 'X-Format': 'text/html', 'X-Errata-Digest': 'checkout-17' });

    expect(await response.text()).toContain('<p>Digest: checkout-17</p><div><p><a href="">Try again</a>');
  });

  it('says only the sentence after a bug of this server', async () => {
    const pages = Object.assign(errorPages(null), {
      serverError: () => {
        throw new Error('a bug');
      },
    });
    await reopen({ pages });

    const response = await opened.ask({ ...DEAD, 'X-Format': 'text/html' });

    expect([response.status, await response.text()]).toEqual([503, `${SERVER_ERROR_TEXT}\n`]);
    expect(opened.lines).toEqual([expect.objectContaining({ msg: 'gateway_failed' })]);
  });
});

describe('the event of a page', () => {
  it('goes to the store only, with its digest, and the names of the request as tags', async () => {
    const headers = { ...DEAD, 'X-Request-ID': 'request-4711', 'X-Errata-Upstream': '10.0.0.7:80' };
    await opened.ask({ ...headers, 'sentry-trace': '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1' });

    expect(opened.appended).toEqual([
      expect.objectContaining({
        project: PROJECT,
        source: 'gateway',
        class: 0,
        lifetime: 'error',
        pending: 2,
      }),
    ]);
    const [envelope] = opened.appended;
    const read = readEnvelopeHeader(Buffer.from(envelope?.header ?? []));
    expect(read).toMatchObject({ outcome: 'ok', header: { eventId: envelope?.eventId } });
    expect(eventIn(envelope)).toEqual({
      event_id: envelope?.eventId,
      timestamp: expect.any(Number),
      platform: 'other',
      level: 'error',
      logger: 'gateway',
      environment: 'production',
      message: 'GatewayFailure: shop is unreachable',
      request: { method: 'GET', url: '/cart?token=[Filtered]' },
      tags: {
        'errata.digest': DEAD_DIGEST,
        'errata.digest_key': expect.stringMatching(/^[\da-f]{64}$/),
        service: 'shop',
        status: '503',
        request_id: 'request-4711',
        upstream: '10.0.0.7:80',
      },
      contexts: { trace: { trace_id: '0af7651916cd43dd8448eb211c80319c' } },
    });
  });

  it('has nothing of the client’s other headers, nor has log or answer', async () => {
    const secrets = {
      Cookie: 'sid=s3cret',
      Authorization: 'Bearer s3cret',
      'X-Api-Key': 's3cret',
      Referer: '/s3cret',
    };
    const response = await opened.ask({ ...DEAD, ...secrets }, '/', { method: 'POST', body: 's3cret' });

    const all = [
      await response.text(),
      JSON.stringify(opened.lines),
      Buffer.from(opened.appended[0]?.items ?? []),
    ];
    expect(all.join()).not.toContain('s3cret');
  });
});
