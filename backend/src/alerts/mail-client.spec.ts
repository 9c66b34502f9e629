import type { IssueDelivery } from '../contract/webhook-api.ts';
import { readConfig } from '../config/config.ts';
import type { AlertOutcome } from './alert-channel.ts';
import { MailClient } from './mail-client.ts';
import { MailServer } from './mail-server.fixture.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12, 30);
const TO = ['oncall@x.example', 'second@y.example'];
const BODY: IssueDelivery = {
  type: 'issue.new',
  timestamp: '2026-11-21T12:30:00.000Z',
  data: {
    digest: '7KQ4-M2XD',
    key: '3ceafa1d',
    kind: 'server',
    isConfirmed: true,
    title: 'TypeError: cart is undefined',
    frame: { place: 'cart/total.ts:42 totalOf', source: 'return items.length;' },
    project: 'errors.example/1',
    release: 'größe',
    environment: 'production',
    level: 'error',
    events: 1,
    users: 2,
    firstSeen: '2026-11-21T12:30:00.000Z',
    lastSeen: '2026-11-21T12:30:00.000Z',
    link: 'https://errata.example/console/e/7KQ4-M2XD',
  },
};

/** A loopback address that the settings do not know as one: 0.0.0.0 connects to this machine. */
const ELSEWHERE = '0.0.0.0';

function refusal(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

describe('MailClient', () => {
  let server: MailServer;
  afterEach(() => server.stop());

  async function send(
    { host = '127.0.0.1', login = '', timeoutMs = 10_000 } = {},
    body: IssueDelivery = BODY,
    port = server.port,
  ): Promise<AlertOutcome> {
    const ERRATA_SMTP_URL = `smtp://${login}${host}:${port}?from=errata@z.example`;
    const { smtp } = readConfig({ ERRATA_SMTP_URL });
    if (smtp?.from == null) throw new Error('no server');
    const client = new MailClient(smtp, { from: smtp.from, to: TO });
    return client.send({ deliveryId: 'row-7', body, attempts: 1 }, NOW_MS, timeoutMs);
  }

  function titled(title: string): IssueDelivery {
    return { ...BODY, data: { ...BODY.data, title } };
  }

  it('sends a mail as plain text', async () => {
    server = await MailServer.start({ disabledCommands: ['STARTTLS', 'AUTH'] });

    expect(await send()).toEqual({ isAccepted: true, detail: '250 OK: message queued' });

    const [head = '', ...text] = server.received[0]?.split('\r\n\r\n') ?? [];
    expect(head.split('\r\n').toSorted()).toEqual([
      'Auto-Submitted: auto-generated',
      'Content-Transfer-Encoding: quoted-printable',
      'Content-Type: text/plain; charset=utf-8',
      'Date: Sat, 21 Nov 2026 12:30:00 +0000',
      'From: Errata <errata@z.example>',
      'MIME-Version: 1.0',
      'Message-ID: <row-7@z.example>',
      'Subject: New error: TypeError: cart is undefined (7KQ4-M2XD)',
      'To: oncall@x.example, second@y.example',
    ]);
    expect(text).toEqual([
      [
        'New error · server · production · release größe',
        'TypeError: cart is undefined',
        'cart/total.ts:42 totalOf   return items.length;',
        '7KQ4-M2XD · 1 event · 2 users',
        'https://errata.example/console/e/7KQ4-M2XD',
        '',
      ].join('\r\n'),
    ]);
    expect(server.wire).toMatch(
      /^EHLO .+\r\nMAIL FROM:<errata@z.example>\r\nRCPT TO:<oncall@x.example>\r\nRCPT TO:<second@y.example>\r\nDATA/,
    );
  });

  it.each(['\r\n', '\n', '\r', '\u2028', '\0'])('makes no header of a title with %j', async (end) => {
    server = await MailServer.start({ disabledCommands: ['STARTTLS'] });

    await send({}, titled(`E${end}Bcc: mallory@evil.example${end}${end}.${end}text`));

    const [head = ''] = server.received[0]?.split('\r\n\r\n') ?? [];
    // A folded header is one.
    const lines = head.replaceAll('\r\n ', ' ').split('\r\n');
    expect(lines).toHaveLength(9);
    expect(lines.filter((line) => !/^[A-Z][\w-]+: /.test(line) || /^B?cc:/i.test(line))).toEqual([]);
    expect(server.wire.match(/^RCPT TO:.*$/gm)).toHaveLength(TO.length);
    expect(server.received).toHaveLength(1);
  });

  it('sends no password in clear text to another host', async () => {
    server = await MailServer.start({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });

    const outcome = await send({ host: ELSEWHERE, login: 'ann:hunter22@' });

    expect(outcome).toEqual({
      isAccepted: false,
      reason: 'ETLS',
      detail: expect.any(String),
      retryAfterMs: null,
    });
    expect(server.wire).toMatch(/^EHLO .+\r\nSTARTTLS\r\n$/);
  });

  it('sends a password over TLS only to a server with a valid certificate, and a mail without one to any', async () => {
    // The certificate of the library names another host, and has expired.
    server = await MailServer.start();

    const withPassword = await send({ host: ELSEWHERE, login: 'ann:hunter22@' });
    const without = await send({ host: ELSEWHERE });

    expect(withPassword).toMatchObject({ reason: 'CERT_HAS_EXPIRED' });
    expect(without).toMatchObject({ isAccepted: true });
    expect(server.received).toHaveLength(1);
  });

  it('reports a refused login without the password that the server quotes', async () => {
    server = await MailServer.start({
      onAuth: ({ password }, _session, callback) => callback(refusal(535, `no ${password} here`)),
    });

    expect(await send({ login: 'ann:hunter%3222@' })).toEqual({
      isAccepted: false,
      reason: 'smtp_535',
      detail: '535 no [Filtered] here',
      retryAfterMs: null,
    });
  });

  it('counts as sent what the server takes for one of the recipients, and reports a refusal of all', async () => {
    const refused = new Set([TO[0]]);
    server = await MailServer.start({
      onRcptTo: ({ address }, _session, callback) =>
        callback(refused.has(address) ? refusal(550, `<${address}> unknown`) : null),
    });

    const one = await send();
    refused.add(TO[1]);
    const all = await send();

    expect(one).toMatchObject({ isAccepted: true });
    expect(all).toMatchObject({ reason: 'smtp_550', detail: '550 <[Filtered]> unknown' });
  });

  it('reports the reason of a missing response', async () => {
    server = await MailServer.start({ onConnect: () => undefined });
    const { port } = server;
    const late = await send({ timeoutMs: 1 });
    await server.stop();

    expect(late).toMatchObject({ reason: 'timeout', detail: null });
    expect(await send({}, BODY, port)).toMatchObject({ reason: 'ECONNREFUSED', detail: null });
  });
});
