import { BadGatewayException, HttpException, ServiceUnavailableException } from '@nestjs/common';
import express, { type Request, type Response } from 'express';
import request from 'supertest';
import { ERROR_PAGES } from './error-pages.fixture.ts';
import { ErrorResponse } from './error-response.ts';
import { HostApplication } from './host-application.fixture.ts';

const FAILURE = { digest: '7KQ4-M2XD', reference: '1234-5678' };
const ID = 'req-7f3a.91:c2+/=';

/** The request that the test sends: its status, id, `Retry-After`, and the number that is drawn for it. */
let asked: { status: number; id?: unknown; own?: string; drawn?: number; members?: Record<string, unknown> };
const responses = new ErrorResponse(ERROR_PAGES, () => asked.drawn ?? 0);
const application = express().use((incoming: Request, response: Response) => {
  const { status, id, own, members } = asked;
  if (id !== undefined) Object.assign(incoming, { id });
  if (own !== undefined) response.set('Retry-After', own);
  const given = { status, ...(members !== undefined && { members }) };
  if (status < 500) responses.sendRejection(incoming, response, { ...given, title: 'T', detail: null });
  else responses.sendFailure(incoming, response, { ...given, ...FAILURE });
});

type Method = 'get' | 'put' | 'delete' | 'options' | 'post' | 'patch';
const send = (method: Method, accept = 'application/json') =>
  request(application)[method]('/orders').set('Accept', accept);

describe('problem details', () => {
  it.each<[number, Method, string | undefined, object, string | undefined]>([
    [500, 'get', undefined, { retryable: false }, undefined],
    [500, 'get', '30', { retryable: false, retry_after: 30 }, '30'],
    [501, 'get', undefined, { retryable: false }, undefined],
    [502, 'get', undefined, { retryable: true, retry_after: 5 }, '5'],
    [503, 'put', undefined, { retryable: true, retry_after: 5 }, '5'],
    [504, 'delete', undefined, { retryable: true, retry_after: 5 }, '5'],
    [503, 'options', '120', { retryable: true, retry_after: 120 }, '120'],
    [503, 'get', '0', { retryable: true, retry_after: 0 }, '0'],
    [503, 'get', 'soon', { retryable: true }, 'soon'],
    [503, 'post', undefined, { retryable: false, retry_after: 5 }, '5'],
    [502, 'patch', '7', { retryable: false, retry_after: 7 }, '7'],
    [429, 'get', undefined, { retryable: true }, undefined],
    [429, 'get', '60', { retryable: true, retry_after: 60 }, '60'],
    [429, 'post', '60', { retryable: false, retry_after: 60 }, '60'],
    [404, 'get', undefined, {}, undefined],
    [413, 'put', '9', { retry_after: 9 }, '9'],
  ])('advise on a %i to %s with Retry-After %s: %j', async (status, method, own, advice, header) => {
    asked = { status, ...(own !== undefined && { own }) };

    const { body, headers } = await send(method);

    const { retryable, retry_after, request_id } = body as Record<string, unknown>;
    expect(JSON.parse(JSON.stringify({ retryable, retry_after, request_id }))).toEqual(advice);
    expect(headers['retry-after']).toBe(header);
  });

  it.each([
    [0, '5'],
    [0.5, '8'],
    [0.999, '10'],
  ])('draw the Retry-After of each answer: %d is %s, also on a page', async (drawn, expected) => {
    asked = { status: 503, drawn };

    const answers = [await send('get'), await send('get', 'text/html'), await send('get', 'text/plain')];

    expect(answers.map(({ headers }) => headers['retry-after'])).toEqual([expected, expected, expected]);
    expect(answers[0]?.body).toMatchObject({ retry_after: Number(expected) });
  });

  it('read a Retry-After that is a date', async () => {
    const past = new Date(0).toUTCString();
    asked = { status: 503, own: past };

    const { body, headers } = await send('get');

    expect([body.retry_after, headers['retry-after']]).toEqual([0, past]);
  });

  it.each<[unknown, string | undefined, unknown]>([
    [undefined, ID, ID],
    ['own', ID, 'own'],
    [7, ID, ID],
    [undefined, 'short', undefined],
    [undefined, 'two words', undefined],
    [undefined, 'x'.repeat(129), undefined],
    [undefined, undefined, undefined],
  ])('name the request with the id %j and the header %j by %j', async (id, header, expected) => {
    for (const status of [404, 500]) {
      asked = { status, id };

      const { body } = await (header === undefined ? send('get') : send('get').set('X-Request-ID', header));

      expect((body as Record<string, unknown>)['request_id']).toBe(expected);
    }
  });

  it('leave members of the application as they are', async () => {
    const members = { request_id: 'own', retryable: 'never', retry_after: null };
    for (const status of [429, 503]) {
      asked = { status, members };

      expect((await send('get').set('X-Request-ID', ID)).body).toMatchObject(members);
    }
  });
});

describe('problem details of an application with the module', () => {
  let host: HostApplication;
  beforeAll(async () => {
    host = await HostApplication.start();
  });
  afterAll(() => host.close());

  it.each([
    [new BadGatewayException(), { status: 502, retryable: true }],
    [new ServiceUnavailableException({ retryable: false }), { status: 503, retryable: false }],
    [new HttpException('slow down', 429), { status: 429, retryable: true }],
    [new Error('secret'), { status: 500, retryable: false }],
  ])('advise on %s', async (thrown, expected) => {
    host.prepare(() => {
      throw thrown;
    });

    const response = await fetch(`${await host.url()}/controller`, {
      headers: { accept: 'application/json', 'x-request-id': ID },
    });

    expect(await response.json()).toMatchObject({ ...expected, request_id: ID });
    expect(response.headers.has('retry-after')).toBe([502, 503].includes(expected.status));
  });
});
