import { digestOf } from '../../digest/digest.ts';
import { readException } from '../../digest/read-exception.ts';
import {
  browserEvent,
  DELIVERED,
  type EventBody,
  eventEnvelope,
  eventIdOf,
  PROJECT,
  serverEvent,
} from './envelopes.fixture.ts';
import type { EventStore } from '../event-store.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

/** One fault as V8 and Firefox tell it: two digests in version 1, one in version 2. */
const V8_TEXT = "Cannot read properties of undefined (reading 'items')";
const GECKO_TEXT = 'can\'t access property "items", cart is undefined';

function failing(number: number, value: string, changes: EventBody = {}): EventBody {
  const filename = '/srv/shop/dist/cart/total.js';
  const frames = [{ filename, function: 'total', lineno: 7, colno: 3, in_app: true }];
  return serverEvent(number, '', {
    exception: { values: [{ type: 'TypeError', value, stacktrace: { frames } }] },
    ...changes,
  });
}

function digestBy(version: 1 | 2, event: EventBody): string {
  const fault = readException(event, { root: '', useFrames: true });
  if (fault === null) throw new Error('the event has no fault');
  return digestOf(fault, { route: null, version }).shown;
}

async function issuesOf(
  store: EventStore,
): Promise<readonly { readonly digest: string; readonly events: number }[]> {
  const { issues } = await store.ask('issues', 10, null);
  return issues.map(({ digest, events }) => ({ digest, events }));
}

export function describeDigestVersions(stores: StoresUnderTest): void {
  const openAt = (digestVersion: 1 | 2) => stores.open(undefined, { digestVersion });

  describe('version 2 of the digest', () => {
    it('names a new issue, which version 1 finds too', async () => {
      const event = failing(1, V8_TEXT);
      const store = await openAt(2);

      expect(await store.ingest([eventEnvelope(event)])).toEqual([DELIVERED]);

      const [first, second] = [digestBy(1, event), digestBy(2, event)];
      expect(first).not.toBe(second);
      expect(await issuesOf(store)).toEqual([{ digest: second, events: 1 }]);
      for (const pasted of [first, second, `Digest: ${first}`, first.slice(0, 6)])
        expect(await store.ask('issue', pasted)).toMatchObject({ digest: second, events: 1 });
    });

    it('goes on with an issue of version 1, under its digest and with its counters', async () => {
      const event = failing(1, V8_TEXT);
      await (await openAt(1)).ingest([eventEnvelope(event)]);

      const store = await openAt(2);
      await store.ingest([eventEnvelope(failing(2, V8_TEXT)), eventEnvelope(failing(3, V8_TEXT))]);
      await store.ingest([eventEnvelope(failing(4, V8_TEXT))]);

      expect(await issuesOf(store)).toEqual([{ digest: digestBy(1, event), events: 4 }]);
      expect(await store.ask('issue', digestBy(2, event))).toMatchObject({
        digest: digestBy(1, event),
        events: 4,
      });
      expect((await store.ask('find', digestBy(2, event))).issues).toHaveLength(1);
    });

    it('joins what version 1 tells apart, from then on', async () => {
      const events = [failing(1, V8_TEXT), failing(2, GECKO_TEXT)];
      const store = await openAt(2);

      await store.ingest(events.map((event) => eventEnvelope(event)));
      await store.ingest([eventEnvelope(failing(3, GECKO_TEXT))]);

      const [v8, gecko] = events.map((event) => digestBy(1, event));
      expect(v8).not.toBe(gecko);
      expect((await issuesOf(store)).map((issue) => issue.events)).toEqual([3]);
      for (const digest of [v8, gecko]) expect((await store.ask('issue', digest ?? ''))?.events).toBe(3);
    });

    it('leaves each issue of version 1 its permalink, also where it joins two', async () => {
      await (
        await openAt(1)
      ).ingest([eventEnvelope(failing(1, V8_TEXT)), eventEnvelope(failing(2, GECKO_TEXT))]);

      const store = await openAt(2);
      await store.ingest([eventEnvelope(failing(3, GECKO_TEXT)), eventEnvelope(failing(4, V8_TEXT))]);

      const shown = await Promise.all(
        [V8_TEXT, GECKO_TEXT].map((text) => store.ask('issue', digestBy(1, failing(9, text)))),
      );
      expect(shown.map((issue) => issue?.digest)).toEqual([
        digestBy(1, failing(9, V8_TEXT)),
        digestBy(1, failing(9, GECKO_TEXT)),
      ]);
      expect(shown.reduce((sum, issue) => sum + (issue?.events ?? 0), 0)).toBe(4);
    });

    it('can be turned back: the issues it named go on', async () => {
      const event = failing(1, V8_TEXT);
      await (await openAt(2)).ingest([eventEnvelope(event)]);

      const store = await openAt(1);
      await store.ingest([eventEnvelope(failing(2, V8_TEXT)), eventEnvelope(serverEvent(3))]);

      expect(await store.ask('issue', digestBy(1, event))).toMatchObject({
        digest: digestBy(2, event),
        events: 2,
      });
      expect(await issuesOf(store)).toHaveLength(2);
    });

    it('is found of its own project only', async () => {
      const other = PROJECT.replace(/1$/, '2');
      const event = failing(1, V8_TEXT);
      await (await openAt(1)).ingest([eventEnvelope(event)]);

      const store = await openAt(2);
      await store.ingest([
        eventEnvelope(failing(2, V8_TEXT), { project: other }),
        eventEnvelope(failing(3, V8_TEXT)),
      ]);

      const { issues } = await store.ask('find', digestBy(2, event));
      expect(new Map(issues.map(({ project, events }) => [project, events]))).toEqual(
        new Map([
          [PROJECT, 2],
          [other, 1],
        ]),
      );
      // Of one fault in two projects it is the one seen last, as ever.
      expect(await store.ask('issue', digestBy(2, event))).toBeDefined();
    });

    it('joins the halves of a failure by the digest that was shown, whichever version it is of', async () => {
      await (await openAt(1)).ingest([eventEnvelope(failing(1, V8_TEXT))]);
      const store = await openAt(2);
      const shown = digestBy(2, failing(1, V8_TEXT));

      await store.ingest([
        eventEnvelope(failing(2, V8_TEXT)),
        eventEnvelope(browserEvent(3, { tags: { 'errata.server_digest': shown } })),
      ]);

      const [server, browser] = await Promise.all(
        [2, 3].map((number) => store.ask('issue', eventIdOf(number))),
      );
      expect(browser?.related.map(({ digest }) => digest)).toEqual([server?.digest]);
      expect(server?.related.map(({ digest }) => digest)).toEqual([browser?.digest]);
    });

    it('believes both keys of its own reporting', async () => {
      const shown = digestOf(faultWith('a'), { route: null, version: 2 });
      const first = digestOf(faultWith('a'), { route: null, version: 1 });
      const tags = {
        'errata.digest': shown.shown,
        'errata.digest_key': shown.key,
        'errata.digest_key_1': first.key,
      };
      const store = await openAt(2);

      await store.ingest([eventEnvelope(serverEvent(1, 'a/a', { tags }), { source: 'own' })]);

      for (const digest of [shown.shown, first.shown])
        expect((await store.ask('issue', digest))?.digest).toBe(shown.shown);
    });
  });
}

function faultWith(message: string) {
  return { type: 'Error', code: null, message, frames: [], cause: null, ownDigest: null };
}
