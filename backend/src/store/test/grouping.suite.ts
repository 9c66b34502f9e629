import { ownKey } from '../../digest/digest.ts';
import { browserEvent, type EventBody, eventEnvelope, eventIdOf, serverEvent } from './envelopes.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

/** One error as V8 and Firefox report it. */
const V8_TEXT = "Cannot read properties of undefined (reading 'items')";
const GECKO_TEXT = 'can\'t access property "items", cart is undefined';

function failing(number: number, value: string): EventBody {
  const filename = '/srv/shop/dist/cart/total.js';
  const frames = [{ filename, function: 'total', lineno: 7, colno: 3, in_app: true }];
  return serverEvent(number, '', {
    exception: { values: [{ type: 'TypeError', value, stacktrace: { frames } }] },
  });
}

/** A response that was thrown on a page, as the client reports it. */
function response(number: number, value: string, path: string): EventBody {
  const mechanism = { type: 'auto.errata.boundary', handled: true };
  return browserEvent(number, {
    request: { url: `https://shop.example${path}` },
    exception: { values: [{ type: 'ErrorResponse', value, mechanism }] },
  });
}

export function describeGrouping(stores: StoresUnderTest): void {
  describe('the digest rule', () => {
    it('makes one issue of an error that each engine words differently', async () => {
      const store = await stores.open();

      await store.ingest([eventEnvelope(failing(1, V8_TEXT)), eventEnvelope(failing(2, GECKO_TEXT))]);
      await store.ingest([eventEnvelope(failing(3, GECKO_TEXT))]);

      const { issues } = await store.ask('issues', 10, null);
      expect(issues.map(({ events }) => events)).toEqual([3]);
    });

    it('makes two issues of two properties in one function', async () => {
      const store = await stores.open();

      await store.ingest([
        eventEnvelope(failing(1, V8_TEXT)),
        eventEnvelope(failing(2, V8_TEXT.replace('items', 'total'))),
      ]);

      const { issues } = await store.ask('issues', 10, null);
      expect(issues.map(({ events }) => events)).toEqual([1, 1]);
    });

    it('distinguishes thrown responses by their status and the route of their page, and by no text', async () => {
      const store = await stores.open();

      await store.ingest(
        [
          response(1, '503 Service Unavailable: no stock for Ann', '/orders/1'),
          response(2, '503', '/orders/2'),
          response(3, '500 Internal Server Error', '/orders/1'),
          response(4, '503', '/cart'),
        ].map((body) => eventEnvelope(body)),
      );

      const keys = await Promise.all([1, 2, 3, 4].map((number) => store.ask('event', eventIdOf(number))));
      const [first, second, ...others] = keys.map((event) => event?.digest);
      expect(second).toBe(first);
      expect(new Set([first, ...others]).size).toBe(3);
      expect((await store.ask('issue', eventIdOf(2)))?.title).toMatch(/^ErrorResponse: 503/);
    });

    it('makes one issue of the pages of a route that the SDK knows, and two of two pages without one', async () => {
      const store = await stores.open();
      const transaction = '/products/:slug';
      const shown = ['red-shoes', 'hat', 'how-we-built-it'].map((slug, at) => ({
        ...response(at, '503', `/products/${slug}`),
        transaction,
      }));
      const others = ['/products/17', '/account/reset-password', '/account/sign-in'];

      await store.ingest(
        [...shown, ...others.map((path, at) => response(at + 3, '503', path))].map((body) =>
          eventEnvelope(body),
        ),
      );

      const { issues } = await store.ask('issues', 10, null);
      expect(issues.map(({ events }) => events).toSorted((one, other) => one - other)).toEqual([1, 1, 4]);
    });

    it.each([
      ['joins two faults with equal fingerprints', ['network', 7], ['network', '7'], [2]],
      ['divides a fault by its fingerprint', ['{{ default }}', 'visa'], ['{{ default }}', 'amex'], [1, 1]],
      ['reads one text as a fingerprint', 'network', ['network'], [2]],
      ['ignores an empty fingerprint', [], null, [1, 1]],
    ])('%s', async (_name, one, other, events) => {
      const store = await stores.open();

      await store.ingest([
        eventEnvelope({ ...failing(1, V8_TEXT), fingerprint: one }),
        eventEnvelope({ ...failing(2, V8_TEXT.replace('items', 'total')), fingerprint: other }),
      ]);

      const { issues } = await store.ask('issues', 10, null);
      expect(issues.map((issue) => issue.events)).toEqual(events);
    });

    it('keeps the digest that a page of this server showed, with any fingerprint', async () => {
      const store = await stores.open();
      const tags = { 'errata.digest': 'PAY-42', 'errata.digest_key': ownKey('PAY-42') };
      const body = { ...failing(1, V8_TEXT), tags, fingerprint: ['network'] };

      await store.ingest([eventEnvelope(body, { source: 'own' })]);

      expect((await store.ask('event', eventIdOf(1)))?.digest).toBe('PAY-42');
    });
  });
}
