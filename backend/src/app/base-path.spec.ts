import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import express, { type Request, type Response } from 'express';
import supertest from 'supertest';
import { enterBasePath, type MountedRequest } from './base-path.ts';
import { onlyBelow } from './only-below.ts';

function requestOf(url: string): MountedRequest {
  return { url } as IncomingMessage;
}

describe('enterBasePath', () => {
  it.each([
    ['/errata', '/'],
    ['/errata/', '/'],
    ['/errata?a=1', '/?a=1'],
    ['/errata/tunnel?a=1', '/tunnel?a=1'],
    ['/errata//console', '//console'],
    ['http://shop.example/errata/console', '/console'],
  ])('takes it from %s and leaves %s', (url, rest) => {
    const request = requestOf(url);

    expect(enterBasePath(request, '/errata')).toBe(true);
    expect([request.url, request.baseUrl]).toEqual([rest, '/errata']);
    expect(`http://shop.example${request.originalUrl ?? ''}`).toBe(new URL(url, 'http://shop.example').href);
  });

  it.each(['/', '/console', '/erratas', '/Errata', '//errata', '/x/../errata', '*', ''])(
    'finds %s outside, and changes nothing',
    (url) => {
      const request = requestOf(url);

      expect(enterBasePath(request, '/errata')).toBe(false);
      expect(request).toEqual({ url });
    },
  );

  it('changes nothing without a base path', () => {
    const request = requestOf('/console');

    expect(enterBasePath(request, '')).toBe(true);
    expect(request).toEqual({ url: '/console' });
  });
});

describe('onlyBelow', () => {
  const application = express();
  application.use(onlyBelow('/errata'), ({ url }: Request, response) => void response.send(url));
  application.use(
    (_error: unknown, _: unknown, response: Response, _next: unknown) => void response.sendStatus(404),
  );
  const server = createServer((incoming, response) => {
    enterBasePath(incoming, '/errata');
    application(incoming, response);
  });

  it.each([
    ['/errata', '301 /errata/'],
    ['/errata?a=1&b=?', '301 /errata/?a=1&b=?'],
    ['/errata/', '200 /'],
    ['/errata/?a=1', '200 /?a=1'],
    ['/errata/console', '200 /console'],
    ['/erratas', '404 Not Found'],
    ['/', '404 Not Found'],
  ])('answers %s with %s', async (path, expected) => {
    const { status, headers, text } = await supertest(server).get(path).redirects(0);

    expect(`${status} ${headers['location'] ?? text}`).toBe(expected);
  });

  it('takes a report that is sent to it', async () => {
    expect((await supertest(server).post('/errata')).status).toBe(200);
  });
});
