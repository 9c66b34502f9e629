import type { Fields } from '../../digest/fields.ts';
import {
  browserEvent,
  envelopeOf,
  type EventBody,
  eventEnvelope,
  eventIdOf,
  RECEIVED_MS,
  serverEvent,
  type TestItem,
} from './envelopes.fixture.ts';
import { NO_SENDER } from '../../sink/queued-envelope.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

/** An event of an SDK that sends the exception in another form, or a message instead. */
function sent(number: number, members: Fields): EventBody {
  return serverEvent(number, '', { platform: 'other', exception: undefined, ...members });
}

const dump = { type: 'attachment', attachment_type: 'event.minidump', payload: 'MDMP' };
const frames = [
  { filename: 'shop/stock.py', function: 'check', lineno: 31, in_app: true, context_line: 'report(n)' },
];
const stacktrace = { frames };
const error = { type: 'StockError', value: 'kumquat is missing', stacktrace };

export function describeForms(stores: StoresUnderTest): void {
  describe('an event', () => {
    it.each([
      ['an exception in a list', { exception: [error] }, 'StockError: kumquat is missing'],
      ['a single exception', { exception: error }, 'StockError: kumquat is missing'],
      [
        'an exception under its old name',
        { 'sentry.interfaces.Exception': error },
        'StockError: kumquat is missing',
      ],
      [
        'a value that is an object',
        { exception: [{ ...error, value: { sku: 'kumquat' } }] },
        'StockError: {"sku":"kumquat"}',
      ],
      [
        'an exception with its stack in a thread',
        { exception: [{ ...error, stacktrace: null }], threads: [{ current: true, stacktrace }] },
        'StockError: kumquat is missing',
      ],
      ['a message in an object', { message: { formatted: 'kumquat is low' }, stacktrace }, 'kumquat is low'],
      [
        'a template with parameters',
        { logentry: { message: '%s is low', params: ['kumquat'] }, threads: [{ stacktrace }] },
        'kumquat is low',
      ],
    ])('with %s has its title, its stack and its words', async (_name, members, title) => {
      const store = await stores.open();

      await store.ingest([eventEnvelope(sent(1, members))]);

      const event = await store.ask('event', eventIdOf(1));
      expect(event?.title).toBe(title);
      expect(event?.exceptions[0]?.frames).toMatchObject([
        { file: 'shop/stock.py', function: 'check', source: [{ number: 31, text: 'report(n)' }] },
      ]);
      for (const word of ['kumquat', 'shop/stock.py']) {
        const { issues } = await store.ask('find', word, null);
        expect(issues.map(({ digest }) => digest)).toEqual([event?.digest]);
      }
    });

    it('shows what its frames have in place of a file, and finds it', async () => {
      const store = await stores.open();
      const places = [
        { package: 'libshop.so', instruction_addr: '0x55d2' },
        { module: 'Shop.Basket', function: 'Pick ()', in_app: true },
      ];
      const exception = [{ ...error, stacktrace: { frames: places } }];

      await store.ingest([eventEnvelope(sent(1, { exception }))]);

      const event = await store.ask('event', eventIdOf(1));
      expect(event?.exceptions[0]?.frames).toMatchObject([
        { file: 'Shop.Basket', function: 'Pick ()' },
        { file: 'libshop.so 0x55d2', function: null },
      ]);
      expect((await store.ask('find', 'shop.basket', null)).issues).toHaveLength(1);
    });

    it('joins the values of a header and names the browser of a list', async () => {
      const store = await stores.open();
      const agent =
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
      const headers = { Accept: ['text/html', '*/*'], 'User-Agent': [agent] };

      await store.ingest([
        eventEnvelope(browserEvent(1, { request: { url: 'https://shop.example/', headers } })),
      ]);

      const event = await store.ask('event', eventIdOf(1));
      expect(event?.browser).toBe('Chrome 156 on Linux');
      expect(event?.request?.headers).toEqual([
        ['Accept', 'text/html, */*'],
        ['User-Agent', agent],
      ]);
    });

    it('of a page has one digest, with its exception in a list or in values', async () => {
      const store = await stores.open();
      const values = [{ ...error, stacktrace: undefined }];

      await store.ingest([
        eventEnvelope(browserEvent(1, { exception: values })),
        eventEnvelope(browserEvent(2, { exception: { values } })),
        eventEnvelope(browserEvent(3, { exception: [{ type: 'StockError', value: 'no shelf' }] })),
      ]);

      expect((await store.ask('issue', eventIdOf(2)))?.events).toBe(2);
      expect((await store.ask('issue', eventIdOf(3)))?.events).toBe(1);
    });

    it('of a server that is no Node has its frames in the digest, and needs no source map', async () => {
      const store = await stores.open();
      const failing = (number: number, name: string) =>
        browserEvent(number, {
          sdk: { name: 'sentry.javascript.deno' },
          contexts: { runtime: { name: 'deno' } },
          exception: [
            { ...error, stacktrace: { frames: [{ filename: 'src/pay.ts', function: name, in_app: true }] } },
          ],
        });

      await store.ingest([eventEnvelope(failing(1, 'charge')), eventEnvelope(failing(2, 'refund'))]);

      const [one, other] = [await store.ask('event', eventIdOf(1)), await store.ask('event', eventIdOf(2))];
      expect(one?.digest).not.toBe(other?.digest);
      expect(one).toMatchObject({ unmapped: null, browser: null });
    });

    it('moves with its breadcrumbs where the clock of its sender is two hours late', async () => {
      const store = await stores.open();
      const iso = (ms: number) => new Date(RECEIVED_MS + ms).toISOString();
      const late = -2 * 60 * 60 * 1000;
      const header = Buffer.from(JSON.stringify({ sent_at: iso(late) }));
      const breadcrumbs = [{ message: 'click', timestamp: iso(late - 9_000).replace('Z', '') }];

      await store.ingest([
        eventEnvelope(serverEvent(1, '', { timestamp: iso(late - 5_000), breadcrumbs }), { header }),
      ]);

      const event = await store.ask('event', eventIdOf(1));
      expect(event?.time).toBe(iso(-5_000));
      expect(event?.timeline[0]).toMatchObject({ text: 'click', time: iso(-9_000) });
    });

    it('keeps all digits of 64-bit ids: each user is one, is found, and is erased alone', async () => {
      const store = await stores.open();
      const posted = (number: number, id: string) =>
        envelopeOf([
          {
            type: 'event',
            payload: JSON.stringify(
              sent(number, { user: { id: '@' }, tags: { guild: '@' }, exception: [error] }),
            ).replaceAll('"@"', id),
          },
        ]);
      await store.ingest([posted(1, '1100000000000000001'), posted(2, '1100000000000000002')]);

      const event = await store.ask('event', eventIdOf(1));
      expect(event).toMatchObject({ user: '1100000000000000001', tags: { guild: '1100000000000000001' } });
      expect((await store.ask('issue', eventIdOf(1)))?.users).toBe(2);
      expect((await store.ask('find', 'user:1100000000000000002', null)).issues).toHaveLength(1);
      expect((await store.ask('find', 'user:1100000000000000000', null)).issues).toHaveLength(0);
      expect(await store.ask('rawEvent', eventIdOf(1), null)).toContain('"id": 1100000000000000001');
      await store.ask('erase', { user: '1100000000000000001' }, RECEIVED_MS + 60_000);
      expect(await store.ask('event', eventIdOf(1))).toBeUndefined();
      expect(await store.ask('event', eventIdOf(2))).toBeDefined();
    });

    it('that names no SDK has the one of its request, and is a page’s by it', async () => {
      const store = await stores.open();
      const sender = { ...NO_SENDER, sdk: 'sentry.javascript.browser/7.120.3' };
      const members = { platform: 'javascript', sdk: undefined, exception: [error] };
      const others = { request: undefined, server_name: undefined };

      await store.ingest([
        eventEnvelope(serverEvent(1, '', { ...members, ...others }), { sender }),
        eventEnvelope(serverEvent(2, '', { ...members, ...others, sdk: { name: 'raven-php' } }), { sender }),
      ]);

      expect((await store.ask('issue', eventIdOf(1)))?.kind).toBe('browser');
      expect((await store.ask('issue', eventIdOf(2)))?.kind).toBe('server');
      expect(JSON.parse((await store.ask('rawEvent', eventIdOf(1), null)) ?? '')).toMatchObject({
        sdk: { name: 'sentry.javascript.browser', version: '7.120.3' },
      });
    });

    it('with numbers that are no JSON is read with null in their place', async () => {
      const store = await stores.open();
      const body = JSON.stringify(sent(1, { exception: [error], extra: { ratio: '@', limits: ['@'] } }));

      await store.ingest([
        envelopeOf([{ type: 'event', payload: body.replace('"@"', 'NaN').replace('"@"', '-Infinity') }]),
      ]);

      expect((await store.ask('event', eventIdOf(1)))?.title).toBe('StockError: kumquat is missing');
      expect(JSON.parse((await store.ask('rawEvent', eventIdOf(1), null)) ?? '')).toMatchObject({
        extra: { ratio: null, limits: [null] },
      });
    });

    it('with an id in its payload alone is found by it', async () => {
      const store = await stores.open();

      await store.ingest([eventEnvelope(sent(1, { exception: [error] }), { eventId: null })]);

      expect((await store.ask('event', eventIdOf(1)))?.title).toBe('StockError: kumquat is missing');
    });

    it('with zeros as its id is no repeat of another one', async () => {
      const store = await stores.open();
      const zeros = '0'.repeat(32);
      const events = [1, 2].map((number) =>
        sent(number, { event_id: zeros, exception: [error], user: { id: number } }),
      );

      await store.ingest([envelopeOf(events.map((payload) => ({ type: 'event', payload })))]);

      expect((await store.ask('find', 'kumquat', null)).issues.map((issue) => issue.events)).toEqual([2]);
      expect(await store.ask('event', zeros)).toBeUndefined();
    });

    it.each<[string, TestItem[], string]>([
      ['of a minidump alone', [dump], 'Native crash (minidump)'],
      [
        'of a minidump with feedback',
        [{ type: 'user_report', payload: { comments: 'It broke.' } }, dump],
        'Native crash (minidump)',
      ],
      [
        'of any platform beside a minidump',
        [{ type: 'event', payload: sent(1, { platform: 'cocoa' }) }, dump],
        'Native crash (minidump) at /orders/4711',
      ],
      [
        'with a message beside a minidump',
        [{ type: 'event', payload: sent(1, { message: 'kumquat is low' }) }, dump],
        'kumquat is low',
      ],
      [
        'beside another attachment',
        [
          { type: 'event', payload: sent(1, {}) },
          { ...dump, attachment_type: 'event.attachment' },
        ],
        'Event without a message at /orders/4711',
      ],
    ])('%s has its title and is found by its id, also as one of very many', async (_name, items, title) => {
      const store = await stores.open();

      await store.ingest(
        Array.from({ length: 102 }, (_, at) => envelopeOf(items, { eventId: eventIdOf(at + 1) })),
      );

      const events = [await store.ask('event', eventIdOf(1)), await store.ask('event', eventIdOf(102))];
      expect(events.map((event) => event?.title)).toEqual([title, title]);
      expect(events.filter((event) => event?.brief === true)).toHaveLength(1);
    });

    it('keeps a password out of the text that its template makes', async () => {
      const store = await stores.open();
      const logentry = { message: 'sign-in with %(password)s failed', params: { password: 'hunter2' } };

      await store.ingest([eventEnvelope(sent(1, { logentry }))]);

      expect((await store.ask('event', eventIdOf(1)))?.title).toBe('sign-in with [Filtered] failed');
    });

    it('has the title of its group’s one member, also as one of very many', async () => {
      const store = await stores.open();
      const member = { ...error, mechanism: { source: 'exceptions[0]', exception_id: 1, parent_id: 0 } };
      const group = {
        type: 'ExceptionGroup',
        value: '1 failed',
        mechanism: { is_exception_group: true, exception_id: 0 },
      };
      const exception = { values: [member, group] };

      await store.ingest(Array.from({ length: 102 }, (_, at) => eventEnvelope(sent(at + 1, { exception }))));

      const events = [await store.ask('event', eventIdOf(1)), await store.ask('event', eventIdOf(102))];
      expect(events.map((event) => event?.title)).toEqual(Array(2).fill('StockError: kumquat is missing'));
      expect(events.filter((event) => event?.brief === true)).toHaveLength(1);
    });
  });
}
