import { randomBytes } from 'node:crypto';
import { envelope, EVENT_ID, OWN, project, UPSTREAM } from './test/envelopes.fixture.ts';
import { bytesOf, TunnelServer } from './test/tunnel-server.fixture.ts';
import { STORE_BIT, UPSTREAM_BIT } from '../sink/queued-envelope.ts';

const EVENT = envelope({ event_id: EVENT_ID, dsn: UPSTREAM }, [{ type: 'event' }, '{"message":"hi"}']);
const SMALL = { ERRATA_ENVELOPE_MAX_BYTES: '64KiB' };

describe('the tunnel', () => {
  let tunnel: TunnelServer;

  beforeEach(async () => {
    tunnel = await TunnelServer.start({ environment: SMALL });
  });

  afterEach(() => tunnel.stop());

  it('H7: answers 200 with the event id once the envelope is in the spool', async () => {
    const answer = await tunnel.post(EVENT);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ id: EVENT_ID });
    expect(answer.headers['content-type']).toBe('application/json');
    expect(await tunnel.queued()).toHaveLength(1);
  });

  it('H7: answers {} to an envelope that has no event id and needs none', async () => {
    const answer = await tunnel.post(envelope({ dsn: UPSTREAM }, [{ type: 'session' }, '{}']));

    expect(answer).toMatchObject({ status: 200, body: {} });
    expect(answer.body.id).toBeUndefined();
  });

  it('H19: forbids caching of responses', async () => {
    expect((await tunnel.post(EVENT)).headers['cache-control']).toBe('no-store');
    expect((await tunnel.post('no envelope')).headers['cache-control']).toBe('no-store');
  });

  it('E1, E16: keeps the received bytes of header line and items', async () => {
    const binary = Buffer.from([0, 255, 10, 13, 10, 128, 1]);
    const body = envelope(
      { dsn: UPSTREAM, event_id: EVENT_ID, unknown: { kept: true } },
      [{ type: 'event', odd: 1 }, '{ "message" : "é" }'],
      [{ type: 'attachment', length: binary.length, filename: 'x' }, binary],
    );

    await tunnel.post(body);
    const [row] = await tunnel.queued();

    expect(row === undefined ? row : bytesOf(row)).toEqual(body);
    expect(row).toMatchObject({ project: UPSTREAM, eventId: EVENT_ID, class: 0, source: 'tunnel' });
  });

  it('E15: keeps an event and its attachments in one envelope', async () => {
    const parts = [
      [{ type: 'event' }, '{}'],
      [{ type: 'attachment', length: 3, filename: 'a' }, 'a\nb'],
      [{ type: 'attachment', length: 0, filename: 'b' }, ''],
    ] as const;

    await tunnel.post(envelope({ dsn: UPSTREAM, event_id: EVENT_ID }, ...parts));

    expect(await tunnel.queued()).toHaveLength(1);
  });

  it('A11: ignores the public key of the trace header', async () => {
    const trace = { public_key: 'ffffffffffffffffffffffffffffffff' };
    const body = envelope({ dsn: UPSTREAM, event_id: EVENT_ID, trace }, [{ type: 'event' }, '{}']);

    expect((await tunnel.post(body)).status).toBe(200);
    expect(Buffer.from((await tunnel.queued())[0]?.header ?? []).toString()).toContain(JSON.stringify(trace));
  });

  it.each(['/tunnel', '/tunnel/'])('H14: accepts envelopes on %s without a redirect', async (path) => {
    expect((await tunnel.send({ path, body: EVENT })).status).toBe(200);
  });

  it.each([
    'application/x-sentry-envelope',
    'text/plain;charset=UTF-8',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/json',
  ])('H1: accepts envelopes sent as %s', async (type) => {
    expect((await tunnel.post(EVENT, { 'Content-Type': type })).status).toBe(200);
  });

  it('H1, H2: accepts envelopes without a content type and without a length', async () => {
    const answer = await tunnel.send({ chunks: [EVENT.subarray(0, 30), EVENT.subarray(30)] });

    expect(answer.status).toBe(200);
    expect((await tunnel.queued()).map(bytesOf)).toEqual([EVENT]);
  });

  it('H6: rejects a body over the limit without a length', async () => {
    const answer = await tunnel.send({ chunks: [Buffer.alloc(64 * 1024 + 1, 32)] });

    expect(answer.status).toBe(413);
    expect(answer.headers['x-sentry-error']).toBe('body exceeds 65536 bytes');
  });

  it.each([
    ['a body of nothing', Buffer.alloc(0), 'empty request body'],
    ['no envelope at all', Buffer.from('hello'), 'envelope header is not a JSON object'],
    ['a header that is no object', Buffer.from('[1]\n{"type":"event"}\n{}'), 'envelope header is not'],
    ['a dsn that is none', envelope({ dsn: 'file:///etc/passwd' }, [{ type: 'event' }, '{}']), 'invalid dsn'],
    ['a length past the end', envelope({ dsn: UPSTREAM }, [{ type: 'event', length: 99 }, '{}']), 'item 1'],
  ] as const)('E8, H8: rejects %s with 400 and the reason', async (_, body, detail) => {
    const answer = await tunnel.post(body);

    expect(answer.status).toBe(400);
    expect(answer.body.detail).toContain(detail);
    expect(answer.body.causes).toEqual([]);
    expect(answer.headers['x-sentry-error']).toBe(answer.body.detail);
    expect(await tunnel.queued()).toEqual([]);
  });

  it('E17: keeps a copy of a malformed body whose DSN was allowed', async () => {
    const body = envelope({ dsn: UPSTREAM }, [{ type: 'event', length: 99 }, '{}']);

    await tunnel.post(body);

    expect(await tunnel.malformed()).toHaveLength(1);
    expect((await tunnel.malformed())[0]).toMatchObject({
      project: UPSTREAM,
      body: body.toString(),
      detail: 'item 1: length runs past the end',
    });
  });

  it('E17: keeps no malformed body without an allowed DSN', async () => {
    await tunnel.post('hello');
    await tunnel.post(envelope({ dsn: UPSTREAM.replace('42', '43') }, [{ type: 'event', length: 99 }, '{}']));

    expect(await tunnel.malformed()).toEqual([]);
  });

  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'PROPFIND'] as const)(
    'H9: answers %s with 405 and Allow',
    async (method) => {
      const answer = await tunnel.send({ method });

      expect(answer.status).toBe(405);
      expect(answer.headers['allow']).toBe('POST, OPTIONS');
    },
  );

  it('E3: answers an envelope without items with 200 and keeps nothing', async () => {
    const answer = await tunnel.post(envelope({ dsn: UPSTREAM }));

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({});
    expect(await tunnel.queued()).toEqual([]);
  });

  it('E14: adds a missing event id, in the response and in the stored header', async () => {
    const answer = await tunnel.post(envelope({ dsn: UPSTREAM }, [{ type: 'event' }, '{}']));
    const [row] = await tunnel.queued();

    expect(answer.body.id).toMatch(/^[0-9a-f]{32}$/);
    expect(JSON.parse(Buffer.from(row?.header ?? []).toString())).toEqual({
      dsn: UPSTREAM,
      event_id: answer.body.id,
    });
  });

  it.each(['0'.repeat(32), '00000000-0000-0000-0000-000000000000'])(
    'E14: gives an event with the id %s a new one',
    async (zeros) => {
      const body = envelope({ dsn: UPSTREAM, event_id: zeros }, [
        { type: 'event' },
        JSON.stringify({ event_id: zeros }),
      ]);

      const first = await tunnel.post(body);
      const repeat = await tunnel.post(body);
      const queued = await tunnel.queued();

      expect(first.body.id).toMatch(/^(?!0+$)[0-9a-f]{32}$/);
      expect(repeat.status).toBe(200);
      expect(queued.map(({ eventId, header }) => [eventId, Buffer.from(header).toString()])).toEqual([
        [first.body.id, JSON.stringify({ dsn: UPSTREAM, event_id: first.body.id })],
      ]);
    },
  );

  it.each(['event', 'transaction', 'feedback'])(
    'E14: takes the id that only the payload of an item %s has',
    async (type) => {
      const payload = `{"extra":{"event_id":"${'e'.repeat(32)}"},"event_id":"${EVENT_ID}"}`;
      const attachment = [{ type: 'attachment' }, `{"event_id":"${'a'.repeat(32)}"}`] as const;

      const answer = await tunnel.post(envelope({ dsn: UPSTREAM }, attachment, [{ type }, payload]));
      const [row] = await tunnel.queued();

      expect(answer.body.id).toBe(EVENT_ID);
      expect(row).toMatchObject({ eventId: EVENT_ID, hasMadeId: false });
      expect(Buffer.from(row?.header ?? []).toString()).toContain(`"event_id":"${EVENT_ID}"`);
    },
  );

  it('E14: makes an id for a report of a user, whose payload names the event of another envelope', async () => {
    const report = JSON.stringify({ event_id: EVENT_ID });

    const answer = await tunnel.post(envelope({ dsn: UPSTREAM }, [{ type: 'user_report' }, report]));

    expect(answer.body.id).not.toBe(EVENT_ID);
  });

  it('E16: keeps the bytes of numbers that are no JSON', async () => {
    const payload = '{ "extra": {"ratio": NaN, "limit": -Infinity} }';
    const body = envelope({ dsn: UPSTREAM, event_id: EVENT_ID }, [{ type: 'event' }, payload]);

    await tunnel.post(body);

    expect((await tunnel.queued()).map(bytesOf)).toEqual([body]);
  });

  it('S5: echoes an event id as nothing but 32 hex digits', async () => {
    const id = '9EC79C33-EC99-42AB-8353-589FCB2E04DC';
    const answer = await tunnel.post(envelope({ dsn: UPSTREAM, event_id: id }, [{ type: 'event' }, '{}']));

    expect(answer.body.id).toBe('9ec79c33ec9942ab8353589fcb2e04dc');
  });

  it('E18: accepts 1,000 items and rejects one more with 413', async () => {
    const many = (count: number) =>
      envelope(
        { dsn: UPSTREAM },
        ...Array.from({ length: count }, () => [{ type: 'session' }, '{}'] as const),
      );

    expect((await tunnel.post(many(1_000))).status).toBe(200);
    expect((await tunnel.post(many(1_001))).status).toBe(413);
  });

  it('sends an error and a minidump to upstream and store, a session only upstream', async () => {
    const dump = { type: 'attachment', attachment_type: 'event.minidump' };
    await tunnel.post(EVENT);
    await tunnel.post(envelope({ dsn: UPSTREAM }, [dump, 'MDMP']));
    await tunnel.post(envelope({ dsn: UPSTREAM }, [{ type: 'session' }, '{}']));

    expect((await tunnel.queued()).map(({ pending }) => pending)).toEqual([
      UPSTREAM_BIT | STORE_BIT,
      UPSTREAM_BIT | STORE_BIT,
      UPSTREAM_BIT,
    ]);
  });

  it('H10: answers 200 with a limit to an envelope that no sink wants, and keeps nothing', async () => {
    const answer = await tunnel.post(envelope({ dsn: OWN }, [{ type: 'session' }, '{}']));

    expect(answer.status).toBe(200);
    expect(answer.headers['x-sentry-rate-limits']).toMatch(
      /^60:replay;.*;session;.*:key:errata_no_upstream$/,
    );
    expect(answer.headers['x-sentry-rate-limits']).not.toMatch(/error[;:]|feedback/);
    expect(await tunnel.queued()).toEqual([]);
  });
});

describe('the tunnel with a full spool', () => {
  let tunnel: TunnelServer;

  beforeEach(async () => {
    tunnel = await TunnelServer.start({
      spoolMaxBytes: 2 ** 20,
      projects: [project(UPSTREAM, true)],
      // On a busy machine a commit can take longer than the default, which is another answer.
      limits: { commitTimeoutMs: 60_000 },
    });
  });

  afterEach(() => tunnel.stop());

  it('H9, H10: answers 503 with Retry-After, which stops no errors in the browser', async () => {
    const large = () =>
      envelope({ dsn: UPSTREAM }, [{ type: 'event' }, randomBytes(60 * 1024).toString('hex')]);

    let answer = await tunnel.post(large());
    for (let sent = 0; sent < 40 && answer.status === 200; sent += 1) answer = await tunnel.post(large());

    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('5');
    // With Retry-After alone the SDKs would pause everything.
    expect(answer.headers['x-sentry-rate-limits']).toMatch(/^5:replay;[\w;]*:key:errata_unavailable(?:,|$)/);
    expect(answer.headers['x-sentry-rate-limits']).not.toMatch(/error[;:]|feedback/);
    expect(answer.body.detail).toBe('the envelope cannot be stored now');
  });
});
