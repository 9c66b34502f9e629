import { FakeOrigin, FakePage, settled } from './page.fixture.ts';
import {
  FakeTunnel,
  MINUTE_MS,
  onePage,
  open,
  outboxOf,
  sendItem,
  SENT_AT,
  texts,
} from './transport.fixture.ts';

it('sends an error once and leaves the outbox empty when the tunnel is reachable', async () => {
  const { tunnel, outbox, transport, page } = onePage();

  await sendItem(transport, 'event', 'one');
  await page.pass(MINUTE_MS);

  expect(tunnel.received).toEqual([`{"sent_at":"${SENT_AT}","dsn":"d"}\n{"type":"event"}\n{"text":"one"}`]);
  expect(await outbox.heads()).toEqual([]);
  expect(page.timers).toEqual([]);
});

it.each([['event'], ['feedback'], ['user_report']])(
  'queues an item of type %s while it is being sent',
  async (type) => {
    const { tunnel, outbox, transport } = onePage();
    tunnel.state = 'silent';

    await sendItem(transport, type, 'one');

    expect((await outbox.heads()).map(({ isError }) => isError)).toEqual([true]);
  },
);

it('does not queue other items while they are being sent', async () => {
  const { tunnel, outbox, transport } = onePage();
  tunnel.state = 'silent';

  await sendItem(transport, 'client_report', 'one');

  expect(await outbox.heads()).toEqual([]);
});

it('sends on the next page an error of a page that closed before the answer', async () => {
  const origin = new FakeOrigin();
  const tunnel = new FakeTunnel();
  const outbox = outboxOf(origin);
  const first = open(tunnel, outbox, new FakePage(origin));
  tunnel.state = 'silent';
  await sendItem(first.transport, 'event', 'one');
  first.page.close();

  tunnel.answer(200);
  open(tunnel, outbox, new FakePage(origin));
  await settled();

  expect(texts(tunnel.accepted)).toEqual(['one']);
  expect(await outbox.heads()).toEqual([]);
});

it('survives an outage of several pages, and writes the time of sending into sent_at alone', async () => {
  const origin = new FakeOrigin();
  const tunnel = new FakeTunnel();
  const outbox = outboxOf(origin);
  tunnel.state = 'away';
  const first = open(tunnel, outbox, new FakePage(origin));
  await sendItem(first.transport, 'event', 'one');
  first.page.close();
  for (let reload = 0; reload < 2; reload += 1) {
    const { page } = open(tunnel, outbox, new FakePage(origin));
    await page.pass(MINUTE_MS);
    page.close();
  }

  tunnel.answer(200);
  open(tunnel, outbox, new FakePage(origin));
  await settled();

  const sentAt = new Date(origin.nowMs).toISOString();
  expect(tunnel.accepted).toEqual([`{"sent_at":"${sentAt}","dsn":"d"}\n{"type":"event"}\n{"text":"one"}`]);
});

it.each([[500], [502], [503], [404]])('sends an error again after a %d', async (status) => {
  const { tunnel, transport, page } = onePage();
  tunnel.answer(status);
  await sendItem(transport, 'event', 'one');

  tunnel.answer(200);
  await page.pass(500);

  expect(texts(tunnel.accepted)).toEqual(['one']);
});

it.each([[400], [403], [413], [415]])(
  'never sends an error again after a %d, and counts nothing',
  async (status) => {
    const { tunnel, outbox, transport, page, dropped } = onePage();
    tunnel.answer(status);

    await sendItem(transport, 'event', 'one');
    await page.pass(MINUTE_MS);

    expect(tunnel.received).toHaveLength(1);
    expect(await outbox.heads()).toEqual([]);
    expect(dropped).toEqual([]);
  },
);

it('sends an error again when the Retry-After of a 503 is over, not before', async () => {
  const { tunnel, transport, page } = onePage();
  tunnel.answer(503, { 'Retry-After': '5' });
  await sendItem(transport, 'event', 'one');

  tunnel.answer(200);
  await page.comeBack();
  await page.pass(4_999);
  const early = tunnel.accepted.length;
  await page.pass(1_000);

  expect(early).toBe(0);
  expect(texts(tunnel.accepted)).toEqual(['one']);
});

it('queues errors during a 429 and sends them after it', async () => {
  const { tunnel, transport, page, dropped } = onePage();
  tunnel.answer(429, { 'Retry-After': '30' });
  await sendItem(transport, 'event', 'one');
  await sendItem(transport, 'event', 'two');
  const whileLimited = tunnel.received.length;

  tunnel.answer(200);
  await page.pass(30_500);

  expect(whileLimited).toBe(1);
  expect(texts(tunnel.accepted)).toEqual(['one', 'two']);
  expect(dropped).toEqual([]);
});

it('drops other items under a limit, as the SDK does, and counts them', async () => {
  const { tunnel, outbox, transport, page, dropped } = onePage();
  tunnel.answer(429, { 'X-Sentry-Rate-Limits': '60:replay:key' });
  await sendItem(transport, 'replay_event', 'one');
  tunnel.answer(200);

  await sendItem(transport, 'replay_event', 'two');
  await sendItem(transport, 'event', 'three');
  await page.pass(MINUTE_MS);

  expect(texts(tunnel.accepted)).toEqual(['three']);
  expect(await outbox.heads()).toEqual([]);
  expect(dropped).toEqual(['ratelimit_backoff:replay']);
});

it('drops a queued envelope without an error when it meets a limit', async () => {
  const { tunnel, outbox, transport, page } = onePage();
  tunnel.state = 'away';
  await sendItem(transport, 'session', 'one');

  tunnel.answer(429);
  await page.pass(500);

  expect(await outbox.heads()).toEqual([]);
});

it('queues other items too when the tunnel is unreachable, and sends them after the errors', async () => {
  const { tunnel, transport, page, dropped } = onePage();
  tunnel.state = 'away';
  await sendItem(transport, 'session', 'lesser');
  await sendItem(transport, 'event', 'error');

  tunnel.answer(200);
  await page.pass(500);

  expect(texts(tunnel.accepted)).toEqual(['error', 'lesser']);
  expect(dropped).toEqual([]);
});

it('sends a flood of errors one by one, and loses none within the limits', async () => {
  const origin = new FakeOrigin();
  const tunnel = new FakeTunnel();
  const outbox = outboxOf(origin);
  const flooded = open(tunnel, outbox, new FakePage(origin));
  tunnel.state = 'silent';
  await Promise.all(Array.from({ length: 90 }, () => sendItem(flooded.transport, 'event', 'again')));
  const askedAtOnce = tunnel.received.length;
  flooded.page.close();

  tunnel.answer(200);
  open(tunnel, outbox, new FakePage(origin));
  await settled();

  // Ten first attempts, and the one of the sender while they hang.
  expect(askedAtOnce).toBe(11);
  expect(tunnel.accepted).toHaveLength(90);
});

it('flushes when no request is open', async () => {
  const { tunnel, transport } = onePage();

  void sendItem(transport, 'event', 'one');

  expect(await transport.flush(1_000)).toBe(true);
  expect(texts(tunnel.accepted)).toEqual(['one']);
});
