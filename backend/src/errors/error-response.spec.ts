import express, { type Request, type Response } from 'express';
import request from 'supertest';
import { NOT_FOUND_TEXT } from '../contract/texts.ts';
import { ERROR_PAGES } from './error-pages.fixture.ts';
import { ErrorPages } from './error-pages.ts';
import { ErrorResponse } from './error-response.ts';

const errorResponse = new ErrorResponse(ERROR_PAGES);
const FAILURE = { status: 500, digest: '7KQ4-M2XD', reference: '1234-5678' };
/** Problem details of an application. */
const OWN = {
  type: 'https://x/y',
  title: 'T',
  detail: 'my detail',
  instance: '/i',
  status: 200,
  digest: 'EVIL',
  reference: 'EVIL',
};
const NOT_SATISFIABLE = { status: 416, title: 'Range Not Satisfiable', detail: null };

/** Sets the headers that the query names, as a handler does before it throws, and sends an error in place of its body. */
const application = express()
  .get('/failure', ({ query }: Request, response: Response) => {
    response.set(query);
    errorResponse.sendFailure(response.req, response, FAILURE);
  })
  .get('/own', ({ res }: Request) => {
    if (res !== undefined) errorResponse.sendFailure(res.req, res, { ...FAILURE, members: OWN });
  })
  .get('/own-refusal', ({ res }: Request) => {
    if (res !== undefined) errorResponse.sendRejection(res.req, res, { ...NOT_SATISFIABLE, members: OWN });
  })
  .get('/rejection', ({ query }: Request, response: Response) => {
    response.set(query);
    errorResponse.sendRejection(response.req, response, NOT_SATISFIABLE);
  });

const get = (path: string, accept: string, headers: Record<string, string | readonly string[]>) =>
  request(application).get(path).query(headers).set('Accept', accept);

describe('ErrorResponse', () => {
  it.each([
    ['Content-Encoding', 'gzip'],
    ['Content-Disposition', 'attachment; filename="report.csv"'],
    ['Content-Language', 'de'],
    ['Content-Range', 'bytes 0-4/5'],
    ['Content-Location', '/report.csv'],
    ['Content-Digest', 'sha-256=:AA==:'],
    ['Last-Modified', 'Sat, 01 Jan 2028 00:00:00 GMT'],
    ['ETag', '"of-the-report"'],
    ['Accept-Ranges', 'bytes'],
    ['Expires', 'Sat, 01 Jan 2028 00:00:00 GMT'],
    ['CDN-Cache-Control', 'max-age=60'],
    ['Refresh', '0; url=/elsewhere'],
    ['Transfer-Encoding', 'chunked'],
    ['Trailer', 'Server-Timing'],
  ])('drops %s of the response that failed, and no other header', async (name, value) => {
    const response = await get('/failure', 'text/html', { [name]: value, 'X-Frame-Options': 'DENY' });

    expect(response.headers).not.toHaveProperty(name.toLowerCase());
    expect(response.headers['x-frame-options']).toBe('DENY');
    expect(response.text).toContain('Digest: 7KQ4-M2XD');
  });

  it.each([
    ['text/html', 'text/html; charset=utf-8'],
    ['application/json', 'application/problem+json; charset=utf-8'],
    ['text/plain', 'text/plain; charset=utf-8'],
  ])('replaces type and length of the response that failed: %s', async (accept, type) => {
    const response = await get('/failure', accept, { 'Content-Type': 'text/csv', 'Content-Length': '3' });

    expect(response.headers['content-type']).toBe(type);
    expect(response.headers['content-length']).toBe(String(Buffer.byteLength(response.text)));
    expect(response.text).toContain('7KQ4-M2XD');
  });

  it('keeps the content security policy of a response that is no page', async () => {
    const policy = "default-src 'none'";

    const response = await get('/failure', 'text/plain', { 'Content-Security-Policy': policy });

    expect(response.headers['content-security-policy']).toBe(policy);
  });

  it.each([
    [['img-src *; Frame-Ancestors https://partner.example'], '; Frame-Ancestors https://partner.example'],
    [["frame-ancestors 'self';frame-ancestors https://later.example"], "; frame-ancestors 'self'"],
    [
      ["img-src *, frame-ancestors 'self'; img-src *, frame-ancestors *"],
      "; frame-ancestors 'self', frame-ancestors *",
    ],
    [['img-src *', "frame-ancestors 'none'"], "; frame-ancestors 'none'"],
    [['img-src *'], ''],
  ])(
    'lets a page be framed as the policies %j of the response that failed say',
    async (policies, expected) => {
      const { headers } = await get('/failure', 'text/html', { 'Content-Security-Policy': policies });

      const [ofPage, framed] = String(headers['content-security-policy']).split("; form-action 'none'");
      expect(ofPage).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(framed).toBe(expected);
    },
  );

  it.each([
    ['Origin', 'Origin, Accept, Sec-Fetch-Dest'],
    ['accept', 'accept, Sec-Fetch-Dest'],
    ['*', '*'],
  ])('adds its headers to those by which the application varies: %s', async (vary, expected) => {
    expect((await get('/failure', 'text/plain', { Vary: vary })).headers['vary']).toBe(expected);
  });

  it.each([
    ['/own', { ...FAILURE, retryable: false }],
    ['/own-refusal', { status: 416, digest: 'EVIL', reference: 'EVIL' }],
  ])('keeps the problem details of the application, but for the status: %s', async (path, expected) => {
    const { body } = await get(path, 'application/json', {});

    expect(body).toEqual({ ...OWN, ...expected });
  });

  it('keeps the length of the file in a 416, and nothing else of the file', async () => {
    const response = await get('/rejection', 'text/html', {
      'Content-Range': 'bytes */3000',
      'Content-Encoding': 'br',
      'Accept-Ranges': 'bytes',
    });

    expect(response.status).toBe(416);
    expect(response.headers['content-range']).toBe('bytes */3000');
    expect(response.headers).not.toHaveProperty('content-encoding');
    expect(response.headers).not.toHaveProperty('accept-ranges');
  });

  it.each(
    [{ accept: '*/*' }, { accept: '*/*', 'sec-fetch-dest': 'empty' }, {}].flatMap((headers) => [
      { headers, path: '/reports/cats.csv?status=404', type: 'application/problem+json' },
      { headers, path: '/cats?status=404', type: 'application/problem+json' },
      { headers, path: '/cats.csv?status=401', type: 'application/problem+json' },
      { headers, path: '/cats.csv?status=404', type: 'text/plain' },
    ]),
  )('sends $type to a program for $path with $headers', async ({ headers, path, type }) => {
    const refuse = (asked: Request, response: Response) => {
      const status = Number(asked.query['status']);
      errorResponse.sendRejection(asked, response, { status, title: 'Refused', detail: null });
    };
    const host = express().get('/reports/:name', refuse).use(refuse);

    const response = await request(host).get(path).set(headers);

    expect(response.headers['content-type']).toBe(`${type}; charset=utf-8`);
  });

  describe('with the not-found page of another client', () => {
    const pages = new ErrorPages('', `<h1>404</h1><p>${NOT_FOUND_TEXT}</p>`, null);
    const responses = new ErrorResponse(pages);
    const host = express().use((asked: Request, response: Response) => {
      response.set('Content-Security-Policy-Report-Only', "default-src 'self'");
      response.set('Content-Security-Policy', "frame-ancestors 'self'");
      const status = Number(asked.query['status'] ?? 404);
      responses.sendRejection(asked, response, { status, title: 'Gone', detail: null });
    });
    const ofShop = {
      html: '<h1>Shop: gone</h1>',
      headers: { 'Content-Security-Policy': 'frame-ancestors https://of-the-shop.example' },
    };
    pages.useNotFoundOf((path) => (path === '/own/missing' ? undefined : ofShop));

    it.each([
      ['/missing', '<h1>Shop: gone</h1>', /^frame-ancestors https:\/\/of-the-shop.example$/],
      ['/own/missing', NOT_FOUND_TEXT, /^default-src 'none'; .*; frame-ancestors 'self'$/],
      ['/missing?status=410', '<p>Gone</p>', /^default-src 'none'; .*; frame-ancestors 'self'$/],
    ])('answers %s with %s and its policy', async (path, text, policy) => {
      const { text: html, headers } = await request(host).get(path).set('Accept', 'text/html');

      expect(html).toContain(text);
      expect(headers['content-security-policy']).toMatch(policy);
      expect(headers['content-security-policy-report-only']).toBeUndefined();
      expect(headers['x-robots-tag']).toBe('noindex');
    });

    it.each([
      ['/errata/missing', '<h1>Shop: gone</h1>'],
      ['/errata/own/missing', NOT_FOUND_TEXT],
    ])('answers %s, below a base path, with %s', async (path, text) => {
      const mounted = express().use('/errata', host);

      expect((await request(mounted).get(path).set('Accept', 'text/html')).text).toContain(text);
    });
  });
});
