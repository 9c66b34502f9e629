import { type EventBody, eventEnvelope, serverEvent } from './envelopes.fixture.ts';
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
  });
}
