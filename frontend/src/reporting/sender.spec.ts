import { FakeOrigin, FakePage, settled } from './page.fixture.ts';
import { updateSentAt } from './sender.ts';
import { FakeTunnel, MINUTE_MS, onePage, open, outboxOf, sendItem, texts } from './transport.fixture.ts';

it('retries with growing delays while the tunnel is unreachable', async () => {
  const { tunnel, transport, page } = onePage();
  tunnel.state = 'away';
  await sendItem(transport, 'event', 'one');

  const waits: (readonly number[])[] = [];
  for (let round = 0; round < 4; round += 1) {
    waits.push(page.timers);
    await page.pass(page.timers[0] ?? 0);
  }

  expect(waits).toEqual([[500], [1_000], [2_000], [4_000]]);
  expect(tunnel.received).toHaveLength(5);
});

it('sets no timer while offline, and sends when the network is back', async () => {
  const { tunnel, transport, page } = onePage();
  tunnel.state = 'away';
  page.offline = true;
  await sendItem(transport, 'event', 'one');
  const timers = page.timers;

  tunnel.answer(200);
  await page.comeBack();

  expect(timers).toEqual([]);
  expect(texts(tunnel.accepted)).toEqual(['one']);
});

it('waits the longest delay while hidden, and sends when it becomes visible', async () => {
  const { tunnel, transport, page } = onePage();
  tunnel.state = 'away';
  page.hidden = true;
  await sendItem(transport, 'event', 'one');
  const timers = page.timers;

  tunnel.answer(200);
  await page.comeBack();

  expect(timers).toEqual([MINUTE_MS]);
  expect(texts(tunnel.accepted)).toEqual(['one']);
});

it('lets one envelope that the tunnel cannot bear block no other', async () => {
  const { tunnel, outbox, transport, page } = onePage();
  tunnel.state = 'away';
  for (const text of ['poison', 'two', 'three']) await sendItem(transport, 'event', text);
  tunnel.only.set('poison', { status: 500, headers: {} });

  tunnel.answer(200);
  for (let round = 0; round < 3; round += 1) await page.pass(MINUTE_MS);

  expect(texts(tunnel.accepted)).toEqual(['two', 'three']);
  expect(await outbox.heads()).toHaveLength(1);
});

it('takes turns with another tab, and both see to it that nothing stays behind', async () => {
  const origin = new FakeOrigin();
  const tunnel = new FakeTunnel();
  const outbox = outboxOf(origin);
  tunnel.state = 'away';
  const one = open(tunnel, outbox, new FakePage(origin));
  const other = open(tunnel, outbox, new FakePage(origin));
  await sendItem(one.transport, 'event', 'one');
  await sendItem(other.transport, 'event', 'other');
  one.page.close();

  tunnel.answer(200);
  await other.page.pass(MINUTE_MS);

  expect(new Set(texts(tunnel.accepted))).toEqual(new Set(['one', 'other']));
  expect(await outbox.heads()).toEqual([]);
});

it('looks again in a while when another tab has its turn and hangs in it', async () => {
  const origin = new FakeOrigin();
  const tunnel = new FakeTunnel();
  const outbox = outboxOf(origin);
  tunnel.state = 'away';
  const hanging = open(tunnel, outbox, new FakePage(origin));
  await sendItem(hanging.transport, 'event', 'one');
  tunnel.state = 'silent';
  await hanging.page.pass(500);

  const other = open(tunnel, outbox, new FakePage(origin));
  await settled();

  expect(other.page.timers).toEqual([5_000]);
});

const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');

function renewed(text: string): string {
  return new TextDecoder().decode(updateSentAt(new TextEncoder().encode(text), NOW_MS));
}

it('writes the present time into the header line and leaves all else as it is', () => {
  const rest = '"dsn":"https://key@host/1","trace":{"a":"é"}}\n{"type":"event"}\n{"sent_at":"mine"}';

  expect(renewed(`{"event_id":"1","sent_at":"2026-11-20T10:00:00.000Z",${rest}`)).toBe(
    `{"event_id":"1","sent_at":"2026-11-21T12:00:00.000Z",${rest}`,
  );
});

it('leaves bytes that are no text as they are', () => {
  const head = new TextEncoder().encode('{"sent_at":"x"}\n{"type":"attachment","length":2}\n');
  const envelope = Uint8Array.from([...head, 0xff, 0x00]);

  expect(Array.from(updateSentAt(envelope, NOW_MS).slice(-2))).toEqual([0xff, 0x00]);
});

it.each([
  ['has no sent_at', '{"dsn":"d"}\n{"type":"client_report"}\n{}'],
  ['is no JSON', 'not JSON\n{}'],
  ['is no object', 'null\n{}'],
])('changes nothing where the header %s', (_name, text) => {
  expect(renewed(text)).toBe(text);
});

it('renews a header that is all there is', () => {
  expect(renewed('{"sent_at":"x"}')).toBe('{"sent_at":"2026-11-21T12:00:00.000Z"}');
});
