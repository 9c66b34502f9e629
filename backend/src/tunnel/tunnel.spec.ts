import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { Controller } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { Spool } from '../spool/spool.ts';
import { STORE_BIT, type SpooledEnvelope, UPSTREAM_BIT } from '../spool/spooled-envelope.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { AllowList } from './allow-list.ts';
import { envelope, EVENT_ID, OWN, project, UPSTREAM } from './envelopes.fixture.ts';
import { Intake } from './intake.ts';
import { Tunnel } from './tunnel.ts';
import { TunnelController } from './tunnel.controller.ts';

const MAX_BYTES = 64 * 1024;
const EVENT = envelope({ event_id: EVENT_ID, dsn: UPSTREAM }, [{ type: 'event' }, '{"message":"hi"}']);

describe('the tunnel', () => {
  let directory: string;
  let spool: Spool;
  let application: NestExpressApplication;
  let server: Server;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'errata-tunnel-'));
    spool = await Spool.open(
      { directory, limits: { maxBytes: 2 ** 20 } },
      { onLost: () => {}, onRotten: () => {}, onThreadDeath: () => {} },
    );
    const intake = new Intake(new AllowList([project(UPSTREAM, true), project(OWN, false)]), spool, 2_000);
    const tunnel = new Tunnel(intake, new Metrics(), {
      maxBytes: MAX_BYTES,
      clientIp: 'full',
      isTrusted: () => false,
    });
    Controller('/tunnel')(TunnelController);
    const module = await Test.createTestingModule({
      controllers: [TunnelController],
      providers: [{ provide: Tunnel, useValue: tunnel }],
    }).compile();
    application = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    await application.listen(0, '127.0.0.1');
    server = application.getHttpServer();
  });

  afterEach(async () => {
    await application.close();
    await spool.close();
    rmSync(directory, { recursive: true });
  });

  function post(body: Buffer | string, headers: Record<string, string> = {}): request.Test {
    const test = request(server)
      .post('/tunnel')
      .set('Content-Type', 'application/x-sentry-envelope')
      .set(headers);
    return test.serialize((bytes: unknown) => bytes as string).send(body as string);
  }

  async function held(): Promise<readonly SpooledEnvelope[]> {
    return spool.claim({
      afterId: 0,
      bit: UPSTREAM_BIT | STORE_BIT,
      project: null,
      limit: 100,
      maxBytes: 2 ** 24,
    });
  }

  it('H7: answers 200 with the event id once the envelope is in the spool', async () => {
    const answer = await post(EVENT);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ id: EVENT_ID });
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
    expect(await held()).toHaveLength(1);
  });

  it('E16: keeps the bytes of header line and items as they came', async () => {
    const binary = Buffer.from([0, 255, 10, 13, 10, 128, 1]);
    const body = envelope(
      { dsn: UPSTREAM, event_id: EVENT_ID, unknown: { kept: true } },
      [{ type: 'event', odd: 1 }, '{ "message" : "é" }'],
      [{ type: 'attachment', length: binary.length, filename: 'x' }, binary],
    );

    await post(body);
    const [row] = await held();

    expect(Buffer.concat([row?.header ?? Buffer.of(), Buffer.from('\n'), row?.items ?? Buffer.of()])).toEqual(
      body,
    );
    expect(row).toMatchObject({ project: UPSTREAM, eventId: EVENT_ID, class: 0, source: 'tunnel' });
  });

  it.each(['/tunnel', '/tunnel/'])('H14: takes envelopes on %s', async (path) => {
    const answer = await request(server).post(path).type('text/plain').send(EVENT.toString());

    expect(answer.status).toBe(200);
  });

  it.each([
    'application/x-sentry-envelope',
    'text/plain;charset=UTF-8',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/json',
  ])('H1: takes envelopes sent as %s', async (type) => {
    expect((await post(EVENT, { 'Content-Type': type })).status).toBe(200);
  });

  it('H1, H2: takes envelopes without a content type and without a length', async () => {
    const { port } = server.address() as AddressInfo;
    const sent = httpRequest({ port, method: 'POST', path: '/tunnel' });
    sent.write(EVENT.subarray(0, 30));
    sent.end(EVENT.subarray(30));
    const [answer] = (await once(sent, 'response')) as [{ statusCode: number }];

    expect(answer.statusCode).toBe(200);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['zstd', zstdCompressSync],
    ['identity', (bytes: Buffer) => bytes],
    ['', (bytes: Buffer) => bytes],
    ['UTF-8', (bytes: Buffer) => bytes],
  ] as const)('H3: decodes the coding "%s"', async (coding, encode) => {
    const answer = await post(encode(EVENT), { 'Content-Encoding': coding });

    expect(answer.status).toBe(200);
    expect(Buffer.from((await held())[0]?.items ?? []).toString()).toContain('"hi"');
  });

  it.each([
    ['br', brotliCompressSync(EVENT)],
    ['compress', EVENT],
    ['gzip, gzip', gzipSync(gzipSync(EVENT))],
  ] as const)('H3: refuses the coding "%s" with 415', async (coding, body) => {
    const answer = await post(body, { 'Content-Encoding': coding });

    expect(answer.status).toBe(415);
    expect(await held()).toEqual([]);
  });

  it('H4: refuses what is too large once decoded, however small it came', async () => {
    const bomb = gzipSync(Buffer.alloc(8 * 2 ** 20));
    const answer = await post(bomb, { 'Content-Encoding': 'gzip' });

    expect(answer.status).toBe(413);
  });

  it('H6: refuses what says it is too large before a byte of it came', async () => {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port);
    socket.write(`POST /tunnel HTTP/1.1\r\nHost: x\r\nContent-Length: ${MAX_BYTES + 1}\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    await once(socket, 'close');

    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer.toString().toLowerCase()).toContain('connection: close');
  });

  it('H6: refuses what turns out too large without a length', async () => {
    const { port } = server.address() as AddressInfo;
    const sent = httpRequest({ port, method: 'POST', path: '/tunnel' });
    sent.on('error', () => {});
    sent.write(Buffer.alloc(MAX_BYTES + 1, 32));
    const [answer] = (await once(sent, 'response')) as [{ statusCode: number }];
    sent.destroy();

    expect(answer.statusCode).toBe(413);
  });

  it.each([
    ['a body of nothing', Buffer.alloc(0), 'empty request body'],
    ['no envelope at all', Buffer.from('hello'), ''],
    ['a header that is no object', Buffer.from('[1]\n{"type":"event"}\n{}'), ''],
    ['no dsn', envelope({ event_id: EVENT_ID }, [{ type: 'event' }, '{}']), 'missing dsn'],
    ['a dsn that is none', envelope({ dsn: 'file:///etc/passwd' }, [{ type: 'event' }, '{}']), 'invalid dsn'],
    ['a length past the end', envelope({ dsn: UPSTREAM }, [{ type: 'event', length: 99 }, '{}']), ''],
  ] as const)('H8: refuses %s with 400 and says why', async (_, body, detail) => {
    const answer = await post(body);

    expect(answer.status).toBe(400);
    expect(answer.body.detail).toContain(detail);
    expect(answer.body.causes).toEqual([]);
    expect(answer.headers['x-sentry-error']).toBe(answer.body.detail);
    expect(await held()).toEqual([]);
  });

  it.each([
    'https://abcdef0123456789abcdef0123456789@evil.example/42',
    'https://abcdef0123456789abcdef0123456789@o1.ingest.example/43',
    'https://ffffffffffffffffffffffffffffffff@o1.ingest.example/42',
    'http://abcdef0123456789abcdef0123456789@o1.ingest.example/42',
    'https://abcdef0123456789abcdef0123456789@o1.ingest.example:8443/42',
  ])('A6, A8: refuses %s with 403', async (dsn) => {
    const answer = await post(envelope({ dsn }, [{ type: 'event' }, '{}']));

    expect(answer.status).toBe(403);
    expect(await held()).toEqual([]);
  });

  it('A6: knows a DSN in capitals or with its default port as the same', async () => {
    const dsn = 'HTTPS://abcdef0123456789abcdef0123456789@O1.Ingest.Example:443/42';
    const answer = await post(envelope({ dsn, event_id: EVENT_ID }, [{ type: 'event' }, '{}']));

    expect(answer.status).toBe(200);
    expect((await held())[0]?.project).toBe(UPSTREAM);
  });

  it.each(['get', 'put', 'delete', 'patch', 'head'] as const)(
    'H9: answers %s with 405 and Allow',
    async (method) => {
      const answer = await request(server)[method]('/tunnel');

      expect(answer.status).toBe(405);
      expect(answer.headers['allow']).toBe('POST');
    },
  );

  it('H20: refuses what another site makes a browser send', async () => {
    expect((await post(EVENT, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await post(EVENT, { 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200);
  });

  it('E3: answers an envelope without items with 200 and keeps nothing', async () => {
    const answer = await post(envelope({ dsn: UPSTREAM }));

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({});
    expect(await held()).toEqual([]);
  });

  it('E14: gives an event without an id one, in the answer and in the header that is kept', async () => {
    const answer = await post(envelope({ dsn: UPSTREAM }, [{ type: 'event' }, '{}']));
    const [row] = await held();

    expect(answer.body.id).toMatch(/^[0-9a-f]{32}$/);
    expect(JSON.parse(Buffer.from(row?.header ?? []).toString())).toEqual({
      dsn: UPSTREAM,
      event_id: answer.body.id,
    });
  });

  it('sends an error to upstream and store, a session only upstream', async () => {
    await post(EVENT);
    await post(envelope({ dsn: UPSTREAM }, [{ type: 'session' }, '{}']));

    expect((await held()).map(({ pending }) => pending)).toEqual([UPSTREAM_BIT | STORE_BIT, UPSTREAM_BIT]);
  });

  it('answers 200 and keeps nothing where neither upstream nor store wants it', async () => {
    const answer = await post(envelope({ dsn: OWN }, [{ type: 'session' }, '{}']));

    expect(answer.status).toBe(200);
    expect(await held()).toEqual([]);
  });

  it('answers 503 with Retry-After when the spool is full', async () => {
    const large = envelope({ dsn: UPSTREAM }, [{ type: 'event' }, 'x'.repeat(60 * 1024)]);
    let answer = await post(large);
    for (let sent = 0; sent < 40 && answer.status === 200; sent += 1) answer = await post(large);

    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('5');
    expect(answer.body.detail).toBe('the envelope cannot be stored now');
  });

  it('H21: keeps nothing of an upload that is cut off', async () => {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port);
    socket.write(`POST /tunnel HTTP/1.1\r\nHost: x\r\nContent-Length: ${EVENT.length}\r\n\r\n`);
    socket.write(EVENT.subarray(0, 40));
    const arrived = once(server, 'request');
    await arrived;
    socket.destroy();
    await post(EVENT);

    expect(await held()).toHaveLength(1);
  });
});
