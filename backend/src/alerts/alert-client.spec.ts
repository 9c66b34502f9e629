import { Webhook } from 'standardwebhooks';
import type { AlertService } from '../contract/alert-filter.ts';
import type { WebhookBody } from '../contract/webhook-api.ts';
import type { Resolve } from '../net/egress.ts';
import { DIRECT, Proxy } from '../net/proxy.fixture.ts';
import { Receiver } from './receiver.fixture.ts';
import type { AlertMessage } from './alert-channel.ts';
import { AlertClient, type AlertAddress } from './alert-client.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12, 30);
const SECRET = Buffer.from('a-secret-of-the-receiver');
const TEST: WebhookBody = {
  type: 'test',
  timestamp: '2026-11-21T12:30:00.000Z',
  data: { text: 'größe', link: null },
};
const BODY = JSON.stringify(TEST);

/** A minute from now, Unix seconds. */
const LATER = String(Math.floor(Date.now() / 1_000) + 60);

function messageOf(deliveryId: string): AlertMessage {
  return { deliveryId, body: TEST, attempts: 1 };
}

function verdictOf(body: string, headers: Record<string, string>): string {
  try {
    new Webhook(`whsec_${SECRET.toString('base64')}`).verify(body, headers);
    return 'verified';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('AlertClient', () => {
  let receiver: Receiver;
  const clients: AlertClient[] = [];
  beforeEach(async () => {
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await receiver.stop();
  });

  function clientOf(url: string, target: Partial<AlertAddress> = {}, resolve?: Resolve): AlertClient {
    const client = new AlertClient(
      {
        url: new URL(url),
        service: 'json',
        secret: SECRET,
        allowsPrivate: true,
        userAgent: 'errata/1.0.0',
        proxy: DIRECT,
        ...target,
      },
      resolve,
    );
    clients.push(client);
    return client;
  }

  function urlOf(host = '127.0.0.1'): string {
    return `http://${host}:${receiver.port}/hook?team=7`;
  }

  it('posts the body with its id and a signature over body and time', async () => {
    expect(await clientOf(urlOf()).send(messageOf('id-1'), NOW_MS)).toMatchObject({ isAccepted: true });

    const [request] = receiver.received;
    expect(request).toMatchObject({
      path: '/hook?team=7',
      body: BODY,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'errata/1.0.0',
        'webhook-id': 'id-1',
        'webhook-timestamp': String(NOW_MS / 1_000),
        'webhook-signature': expect.stringMatching(/^v1,[A-Za-z\d+/]{43}=$/),
      },
    });
  });

  it.each([
    ['the request', {}, BODY, 'verified'],
    ['another body', {}, BODY.replace('test', 'tesT'), 'No matching signature found'],
    ['another time', { 'webhook-timestamp': LATER }, BODY, 'No matching signature found'],
    ['another id', { 'webhook-id': 'id-2' }, BODY, 'No matching signature found'],
  ])('signs so that a library of Standard Webhooks says of %s: %4$s', async (_, headers, body, verdict) => {
    // The library has the real clock.
    await clientOf(urlOf()).send(messageOf('id-1'), Date.now());

    const [request] = receiver.received;
    const sent = request?.headers as Record<string, string>;
    expect(verdictOf(body, { ...sent, ...headers })).toBe(verdict);
  });

  it('does not sign without a secret, and sends the user of the URL', async () => {
    const url = urlOf().replace('//', '//ann:p%40ss@');

    await clientOf(url, { secret: null }).send(messageOf('id-1'), NOW_MS);

    const [request] = receiver.received;
    expect(request?.headers['webhook-signature']).toBeUndefined();
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from('ann:p@ss').toString('base64')}`);
  });

  it.each([301, 307, 400, 410, 429, 500])(
    'reports status %i as not accepted, and follows no redirect',
    async (status) => {
      receiver.status = status;

      expect(await clientOf(urlOf()).send(messageOf('id-1'), NOW_MS)).toMatchObject({
        isAccepted: false,
        reason: `status_${status}`,
      });
      expect(receiver.received).toHaveLength(1);
    },
  );

  it.each<[AlertService, number, boolean]>([
    ['slack', 200, true],
    ['slack', 204, false],
    ['teams', 202, true],
    ['teams', 200, false],
    ['discord', 204, true],
    ['discord', 200, false],
    ['mattermost', 200, true],
    ['google', 200, true],
    ['json', 202, true],
  ])('%s accepts by %i: %s', async (service, status, isAccepted) => {
    receiver.status = status;

    expect(await clientOf(urlOf(), { service, secret: null }).send(messageOf('id-1'), NOW_MS)).toMatchObject({
      isAccepted,
    });
    expect(receiver.received[0]?.headers['webhook-id']).toBe(service === 'json' ? 'id-1' : undefined);
  });

  it.each([
    ['120', 429, 120_000],
    ['Sat, 21 Nov 2026 12:31:00 GMT', 503, 60_000],
    ['86400', 429, 3_600_000],
    ['120', 500, null],
  ])('reports Retry-After %s of status %i as %j ms', async (value, status, retryAfterMs) => {
    receiver.status = status;
    receiver.headers = { 'retry-after': value };

    expect(await clientOf(urlOf()).send(messageOf('id-1'), NOW_MS)).toMatchObject({ retryAfterMs });
  });

  it('gives up after the time of the message', async () => {
    receiver.status = null;

    expect(await clientOf(urlOf()).send(messageOf('id-1'), NOW_MS, 50)).toMatchObject({ reason: 'timeout' });
  });

  it.each([
    ['no_service', 'no_service'],
    ['', null],
    [`<p>\n\u202e Sign\tin \0</p>`, '<p> Sign in </p>'],
    ['ö'.repeat(300), 'ö'.repeat(200)],
    ['Cannot POST {path}', 'Cannot POST [Filtered]'],
    [
      '{"path":"\\/hooks\\/k3m9q1w7x5","token":"s3cret/token","user":"ann:p@ss","by":"Basic YW5uOnBAc3M="}',
      '{"path":"\\/hooks\\/[Filtered]","token":"[Filtered]","user":"ann:[Filtered]","by":"[Filtered]"}',
    ],
  ])('returns of the response %j what a person may read: %j', async (text, detail) => {
    receiver.text = text;
    receiver.status = 200;
    const url = `http://ann:p%40ss@127.0.0.1:${receiver.port}/hooks/k3m9q1w7x5?t=s3cret%2Ftoken`;

    expect(await clientOf(url).send(messageOf('id-1'), NOW_MS)).toEqual({ isAccepted: true, detail });
  });

  it('reports the reason of a missing response', async () => {
    const url = urlOf();
    await receiver.stop();

    const outcome = await clientOf(url).send(messageOf('id-1'), NOW_MS);
    receiver = await Receiver.start();

    expect(outcome).toMatchObject({ isAccepted: false, reason: 'ECONNREFUSED' });
  });

  it('aborts a delivery in flight when it is closed', async () => {
    receiver.status = null;
    const client = clientOf(urlOf());
    const sending = client.send(messageOf('id-1'), NOW_MS);
    await receiver.next();

    await client.close();

    expect(await sending).toMatchObject({ isAccepted: false });
  });

  it.each([
    ['a name that resolves to it', 'hooks.example'],
    ['the address itself', '127.0.0.1'],
    ['the address in other digits', '0x7f.1'],
  ])('makes no connection to a private address by %s', async (_way, host) => {
    const toLoopback: Resolve = (_hostname, _options, callback) =>
      callback(null, [{ address: '127.0.0.1', family: 4 }]);

    const outcome = await clientOf(urlOf(host), { allowsPrivate: false }, toLoopback).send(
      messageOf('id-1'),
      NOW_MS,
    );

    expect(outcome).toMatchObject({ isAccepted: false, reason: 'EgressRefused' });
    expect(receiver.connections).toBe(0);
  });

  it('sends through a proxy, reports its refusal, and asks it for no private address', async () => {
    const proxy = await Proxy.start();
    const settings = { proxy: proxy.settings };

    const accepted = await clientOf(urlOf(), settings).send(messageOf('id-1'), NOW_MS);
    proxy.status = 407;
    const refused = await clientOf(urlOf(), settings).send(messageOf('id-2'), NOW_MS);
    const guarded = { ...settings, allowsPrivate: false };
    const toMetadata = await clientOf('http://169.254.169.254/', settings).send(messageOf('id-3'), NOW_MS);
    const toPrivate = await clientOf(urlOf('0x7f.1'), guarded).send(messageOf('id-4'), NOW_MS);
    await proxy.stop();

    expect([accepted, refused]).toMatchObject([
      { isAccepted: true },
      { isAccepted: false, reason: 'proxy_407' },
    ]);
    expect([toMetadata, toPrivate]).toMatchObject([
      { isAccepted: false, reason: 'EgressRefused' },
      { isAccepted: false, reason: 'EgressRefused' },
    ]);
    expect(proxy.connects).toHaveLength(2);
    expect(receiver.received).toHaveLength(1);
  });

  it('resolves a name once for a connection, so that a second answer of its zone is never used', async () => {
    const responses = ['127.0.0.1', '169.254.169.254'];
    const asked: string[] = [];
    const rebinding: Resolve = (hostname, _options, callback) => {
      asked.push(hostname);
      callback(null, [{ address: responses[asked.length - 1] ?? '', family: 4 }]);
    };

    const outcome = await clientOf(urlOf('hooks.example'), {}, rebinding).send(messageOf('id-1'), NOW_MS);

    expect(outcome).toMatchObject({ isAccepted: true });
    expect(asked).toEqual(['hooks.example']);
  });
});
