import { FakeOrigin, FakePage, settled } from './page.fixture.ts';
import { keepOf, MINUTE_MS, onePage, open, sendItem, SENT_AT, texts } from './transport.fixture.ts';
import { FakeTunnel } from './tunnel.fixture.ts';

it('sends an error once and keeps nothing of it when the tunnel is there', async () => {
  const { tunnel, keep, transport, page } = onePage();

  await sendItem(transport, 'event', 'one');
  await page.pass(MINUTE_MS);

  expect(tunnel.asked).toEqual([`{"sent_at":"${SENT_AT}","dsn":"d"}\n{"type":"event"}\n{"text":"one"}`]);
  expect(await keep.heads()).toEqual([]);
  expect(page.timers).toEqual([]);
});

it.each([['event'], ['feedback'], ['user_report']])(
  'has an item of type %s in the keep while it is on its way',
  async (type) => {
    const { tunnel, keep, transport } = onePage();
    tunnel.state = 'silent';

    await sendItem(transport, type, 'one');

    expect((await keep.heads()).map(({ isError }) => isError)).toEqual([true]);
  },
);

it('does not keep anything else while it is on its way', async () => {
  const { tunnel, keep, transport } = onePage();
  tunnel.state = 'silent';

  await sendItem(transport, 'client_report', 'one');

  expect(await keep.heads()).toEqual([]);
});

it('has sent an error of a page that closed before the answer when the next page is opened', async () => {
  const origin = new FakeOrigin();
  const tunnel = new FakeTunnel();
  const keep = keepOf(origin);
  const first = open(tunnel, keep, new FakePage(origin));
  tunnel.state = 'silent';
  await sendItem(first.transport, 'event', 'one');
  first.page.close();

  tunnel.answer(200);
  open(tunnel, keep, new FakePage(origin));
  await settled();

  expect(texts(tunnel.taken)).toEqual(['one']);
  expect(await keep.heads()).toEqual([]);
});

it('survives an outage of several pages, and writes the time of sending into sent_at alone', async () => {
  const origin = new FakeOrigin();
  const tunnel = new FakeTunnel();
  const keep = keepOf(origin);
  tunnel.state = 'away';
  const first = open(tunnel, keep, new FakePage(origin));
  await sendItem(first.transport, 'event', 'one');
  first.page.close();
  for (let reload = 0; reload < 2; reload += 1) {
    const { page } = open(tunnel, keep, new FakePage(origin));
    await page.pass(MINUTE_MS);
    page.close();
  }

  tunnel.answer(200);
  open(tunnel, keep, new FakePage(origin));
  await settled();

  const sentAt = new Date(origin.nowMs).toISOString();
  expect(tunnel.taken).toEqual([`{"sent_at":"${sentAt}","dsn":"d"}\n{"type":"event"}\n{"text":"one"}`]);
});

it.each([[500], [502], [503], [404]])('sends an error again after a %d', async (status) => {
  const { tunnel, transport, page } = onePage();
  tunnel.answer(status);
  await sendItem(transport, 'event', 'one');

  tunnel.answer(200);
  await page.pass(500);

  expect(texts(tunnel.taken)).toEqual(['one']);
});

it.each([[400], [403], [413], [415]])(
  'never sends an error again after a %d, and counts nothing',
  async (status) => {
    const { tunnel, keep, transport, page, dropped } = onePage();
    tunnel.answer(status);

    await sendItem(transport, 'event', 'one');
    await page.pass(MINUTE_MS);

    expect(tunnel.asked).toHaveLength(1);
    expect(await keep.heads()).toEqual([]);
    expect(dropped).toEqual([]);
  },
);

it('comes back with an error when the Retry-After of a 503 is over, not before', async () => {
  const { tunnel, transport, page } = onePage();
  tunnel.answer(503, { 'Retry-After': '5' });
  await sendItem(transport, 'event', 'one');

  tunnel.answer(200);
  await page.comeBack();
  await page.pass(4_999);
  const early = tunnel.taken.length;
  await page.pass(1_000);

  expect(early).toBe(0);
  expect(texts(tunnel.taken)).toEqual(['one']);
});

it('holds errors through a 429 and sends them after it', async () => {
  const { tunnel, transport, page, dropped } = onePage();
  tunnel.answer(429, { 'Retry-After': '30' });
  await sendItem(transport, 'event', 'one');
  await sendItem(transport, 'event', 'two');
  const whileLimited = tunnel.asked.length;

  tunnel.answer(200);
  await page.pass(30_500);

  expect(whileLimited).toBe(1);
  expect(texts(tunnel.taken)).toEqual(['one', 'two']);
  expect(dropped).toEqual([]);
});

it('drops anything else under a limit, as the SDK does, and counts it', async () => {
  const { tunnel, keep, transport, page, dropped } = onePage();
  tunnel.answer(429, { 'X-Sentry-Rate-Limits': '60:replay:key' });
  await sendItem(transport, 'replay_event', 'one');
  tunnel.answer(200);

  await sendItem(transport, 'replay_event', 'two');
  await sendItem(transport, 'event', 'three');
  await page.pass(MINUTE_MS);

  expect(texts(tunnel.taken)).toEqual(['three']);
  expect(await keep.heads()).toEqual([]);
  expect(dropped).toEqual(['ratelimit_backoff:replay']);
});

it('drops a kept envelope that is no error when it meets a limit', async () => {
  const { tunnel, keep, transport, page } = onePage();
  tunnel.state = 'away';
  await sendItem(transport, 'session', 'one');

  tunnel.answer(429);
  await page.pass(500);

  expect(await keep.heads()).toEqual([]);
});

it('keeps anything else too when the tunnel is away, and sends it after the errors', async () => {
  const { tunnel, transport, page, dropped } = onePage();
  tunnel.state = 'away';
  await sendItem(transport, 'session', 'lesser');
  await sendItem(transport, 'event', 'error');

  tunnel.answer(200);
  await page.pass(500);

  expect(texts(tunnel.taken)).toEqual(['error', 'lesser']);
  expect(dropped).toEqual([]);
});

it('opens no flood of requests for a flood of errors, and loses none that fits', async () => {
  const origin = new FakeOrigin();
  const tunnel = new FakeTunnel();
  const keep = keepOf(origin);
  const flooded = open(tunnel, keep, new FakePage(origin));
  tunnel.state = 'silent';
  await Promise.all(Array.from({ length: 90 }, () => sendItem(flooded.transport, 'event', 'again')));
  const askedAtOnce = tunnel.asked.length;
  flooded.page.close();

  tunnel.answer(200);
  open(tunnel, keep, new FakePage(origin));
  await settled();

  // Ten first tries, and the one that the drain sends while they hang.
  expect(askedAtOnce).toBe(11);
  expect(tunnel.taken).toHaveLength(90);
});

it('flushes once nothing is on its way any more', async () => {
  const { tunnel, transport } = onePage();

  void sendItem(transport, 'event', 'one');

  expect(await transport.flush(1_000)).toBe(true);
  expect(texts(tunnel.taken)).toEqual(['one']);
});
