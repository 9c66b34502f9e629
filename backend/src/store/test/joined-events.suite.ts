import {
  browserEvent,
  type EventBody,
  eventEnvelope,
  eventIdOf,
  RECEIVED_MS,
  serverEvent,
} from './envelopes.fixture.ts';
import type { EnvelopeSource } from '../../sink/queued-envelope.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';

const ID = 'r-7f3a91c2';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const ZEROS = '00000000-0000-0000-0000-000000000000';
const MINUTE_MS = 60_000;

/** An exception of a server, the page of a gateway in front of it, an error in a browser. */
type Part = 'exception' | 'page' | 'browser';
const PARTS: Readonly<Record<Part, (number: number, changes: EventBody) => EventBody>> = {
  exception: (number, changes) => serverEvent(number, 'pay/charge', changes),
  page: (number, changes) =>
    serverEvent(number, '', { platform: 'other', exception: undefined, message: 'Bad gateway', ...changes }),
  browser: browserEvent,
};
const NUMBERS: Readonly<Record<Part, number>> = { exception: 1, page: 2, browser: 3 };

/** Stores a part of a request, in a project of its own. */
async function happens(
  store: TestedStore,
  part: Part,
  changes: EventBody,
  afterMs = 0,
  number = NUMBERS[part],
  source: EnvelopeSource = 'tunnel',
) {
  const timestamp = (RECEIVED_MS + afterMs) / 1000;
  const project = `https://${'ab'.repeat(16)}@errors.example/${number}`;
  const body = PARTS[part](number, { timestamp, ...changes });
  await store.ingest([eventEnvelope(body, { project, source, receivedAtMs: RECEIVED_MS + afterMs })]);
}

function tagged(id: string): EventBody {
  return { tags: { request_id: id } };
}

function traced(id: string, path = '/pay'): EventBody {
  return { contexts: { trace: { trace_id: id } }, request: { url: `https://shop.example${path}` } };
}

function requestOfTrace(id: string, trace: string, path?: string): EventBody {
  return { ...tagged(id), ...traced(trace, path) };
}

const PATHLESS = { ...traced(TRACE), request: {} };

function tracedByTag(path: string): EventBody {
  return { tags: { trace_id: TRACE }, request: { url: `https://shop.example${path}` } };
}

function withHeader(name: string, value: string): EventBody {
  return { request: { headers: [[name, value]] } };
}

/** Returns the part to which the event of another leads, and by which id. */
async function joinOf(store: TestedStore, part: Part): Promise<string | null> {
  const linked = (await store.ask('event', eventIdOf(NUMBERS[part])))?.linkedEvent;
  if (linked == null) return null;
  const found = (['exception', 'page', 'browser'] as const).find(
    (one) => linked.eventId === eventIdOf(NUMBERS[one]),
  );
  return `${found ?? linked.eventId} by ${linked.joinedBy}`;
}

export function describeJoinedEvents(stores: StoresUnderTest): void {
  describe('an event of the same request', () => {
    it.each<readonly Part[]>([
      ['page', 'exception', 'browser'],
      ['page', 'browser', 'exception'],
      ['exception', 'page', 'browser'],
      ['exception', 'browser', 'page'],
      ['browser', 'page', 'exception'],
      ['browser', 'exception', 'page'],
    ])(
      'is a server’s exception before a gateway’s page before a browser’s (%s, %s, %s)',
      async (...order) => {
        const store = await stores.open();
        for (const [at, part] of order.entries()) await happens(store, part, tagged(ID), at * 20_000);

        expect(await joinOf(store, 'page')).toBe('exception by request_id');
        expect(await joinOf(store, 'browser')).toBe('exception by request_id');
        expect(await joinOf(store, 'exception')).toBe('page by request_id');
        const { timeline = [] } = (await store.ask('event', eventIdOf(NUMBERS.browser))) ?? {};
        expect(new Set(timeline.map(({ kind }) => kind))).toEqual(new Set(['browser']));
      },
    );

    it.each<readonly [string, EventBody, EventBody]>([
      ['a header', tagged(ID.toUpperCase()), withHeader('X-Request-ID', ID)],
      ['an extra', tagged(ID), { extra: { correlationId: ID } }],
      [
        'the root of Amazon’s',
        tagged('1-67891233-abcdef'),
        withHeader('X-Amzn-Trace-Id', 'Root=1-67891233-abcdef'),
      ],
      ['a ray', withHeader('CF-Ray', '8f2b5c1d9e3a4b6c-FRA'), tagged('8f2b5c1d9e3a4b6c')],
      ['a tag of another name', tagged(ID), { tags: { transaction: ID } }],
    ])('is found by its id in %s', async (_name, one, other) => {
      const store = await stores.open();
      await happens(store, 'exception', one);
      await happens(store, 'page', other);

      expect(await joinOf(store, 'exception')).toBe('page by request_id');
    });

    it.each<readonly [string, Part, EventBody, EventBody, number, string | null]>([
      ['a minute before', 'page', traced(TRACE), traced(TRACE), -MINUTE_MS, 'page by trace_id'],
      ['a minute later', 'browser', traced(TRACE), traced(TRACE, '/'), MINUTE_MS, 'browser by trace_id'],
      ['two minutes apart', 'browser', traced(TRACE), traced(TRACE), 2 * MINUTE_MS, null],
      ['of two servers with two paths', 'page', traced(TRACE), traced(TRACE, '/cart'), 0, null],
      ['of two servers without a path', 'page', PATHLESS, PATHLESS, 0, null],
      ['of a trace in a tag', 'page', tracedByTag('/pay'), traced(TRACE), 0, 'page by trace_id'],
      ['of a trace in a tag with two paths', 'page', tracedByTag('/pay'), tracedByTag('/cart'), 0, null],
      ['of zeros', 'browser', traced(ZEROS), { tags: { trace: ZEROS } }, 0, null],
      [
        'of a request that ended 10 minutes before',
        'page',
        tagged(ID),
        tagged(ID),
        -10 * MINUTE_MS,
        'page by request_id',
      ],
      ['of a request that ended 11 minutes before', 'page', tagged(ID), tagged(ID), -11 * MINUTE_MS, null],
      [
        'that arrived an hour later',
        'browser',
        tagged(ID),
        tagged(ID),
        60 * MINUTE_MS,
        'browser by request_id',
      ],
      ['that arrived 61 minutes later', 'browser', tagged(ID), tagged(ID), 61 * MINUTE_MS, null],
      ['of a counter', 'page', tagged('req-1a'), tagged('req-1a'), 0, null],
      ['of zeros in a tag', 'page', tagged(ZEROS), tagged(ZEROS), 0, null],
    ])('and one %s', async (_name, part, one, other, afterMs, expected) => {
      const store = await stores.open();
      await happens(store, 'exception', one);
      await happens(store, part, other, afterMs);

      expect(await joinOf(store, 'exception')).toBe(expected);
    });

    it.each<readonly [EnvelopeSource, number, string | null]>([
      ['tunnel', 20, 'exception by request_id'],
      ['tunnel', 21, null],
      ['server', 20, 'exception by request_id'],
      ['server', 21, null],
    ])('is none of an id that more than 20 events have (%s, %i)', async (source, events, expected) => {
      const store = await stores.open();
      await happens(store, 'exception', tagged(ID), 0, 1, source);
      await happens(store, 'browser', tagged(ID), 0, 3, source);
      for (let number = 4; number < events + 2; number += 1)
        await happens(store, 'page', tagged(ID), 0, number, source);

      expect(await joinOf(store, 'browser')).toBe(expected);
    });

    it('is found by an id of its own, although more than 20 events have another one', async () => {
      const store = await stores.open();
      const two = { tags: { request_id: ID, correlation_id: 'session-4711' }, ...traced(TRACE) };
      await happens(store, 'exception', two, 0, 1, 'server');
      for (let number = 2; number < 26; number += 1) {
        const id = number === 2 ? ID : `r-other-${number}`;
        const tags = { request_id: id, correlation_id: 'session-4711' };
        await happens(store, 'page', { ...traced(TRACE), tags }, 0, number, 'server');
      }

      expect(await joinOf(store, 'exception')).toBe('page by request_id');
      expect(await joinOf(store, 'page')).toBe('exception by request_id');
    });

    it.each<readonly [string, EventBody, EventBody, string | null]>([
      [
        'its request and of another path',
        requestOfTrace(ID, TRACE),
        requestOfTrace(ID, TRACE, '/'),
        'request_id',
      ],
      ['its trace and path alone', requestOfTrace(ID, TRACE), requestOfTrace('r-other-1', TRACE), 'trace_id'],
      [
        'another request of its trace',
        requestOfTrace(ID, TRACE),
        requestOfTrace('r-other-1', TRACE, '/'),
        null,
      ],
      ['a ray that a client has sent', tagged(ID), { tags: { request_id: 'r-other-1', 'cf-ray': ID } }, null],
      [
        'a trace header of Amazon’s that a client has sent',
        tagged(ID),
        { tags: { request_id: 'r-other-1', 'x-amzn-trace-id': `Root=${ID}` } },
        null,
      ],
      ['a trace that a client has sent', tagged(TRACE), requestOfTrace('r-other-1', TRACE), null],
    ])('is the page of a gateway only by ids that the gateway has set: %s', async (_name, one, other, by) => {
      const store = await stores.open();
      await happens(store, 'exception', one, 0, 1, 'server');
      await happens(store, 'page', other, 0, 2, 'gateway');

      const joins = [await joinOf(store, 'exception'), await joinOf(store, 'page')];
      expect(joins).toEqual(by === null ? [null, null] : [`page by ${by}`, `exception by ${by}`]);
    });

    it('is no other page of a gateway, which may share the id with a server’s exception', async () => {
      const store = await stores.open();
      for (const number of [2, 4])
        await happens(store, 'page', requestOfTrace(ID, TRACE), 0, number, 'gateway');
      const alone = await joinOf(store, 'page');
      await happens(store, 'exception', tagged(ID), 30_000, 1, 'server');

      expect([alone, await joinOf(store, 'page')]).toEqual([null, 'exception by request_id']);
    });

    it.each<readonly [string, EventBody, EventBody, string]>([
      ['its request', tagged(ID), tagged(ID), 'request_id'],
      ['its trace', traced(TRACE), traced(TRACE), 'trace_id'],
      [
        'its trace, although it has a request',
        { ...traced(TRACE), ...tagged(ID) },
        traced(TRACE),
        'trace_id',
      ],
    ])('is the confirmed one by %s, whatever forged ones there are', async (_name, own, other, by) => {
      const store = await stores.open();
      const ids = { ...traced(TRACE), ...tagged(ID) };
      for (const number of [4, 5]) await happens(store, 'exception', ids, 0, number);
      await happens(store, 'exception', own, 0, 1, 'server');
      await happens(store, 'page', other, 30_000, 2, 'gateway');

      const few = [await joinOf(store, 'exception'), await joinOf(store, 'page')];
      for (let number = 6; number < 30; number += 1) await happens(store, 'exception', ids, 0, number);
      const many = [await joinOf(store, 'exception'), await joinOf(store, 'page')];

      expect([few, many]).toEqual(Array.from({ length: 2 }, () => [`page by ${by}`, `exception by ${by}`]));
      expect((await store.ask('event', eventIdOf(1)))?.linkedEvent?.provenance).toEqual({
        origin: 'gateway',
        isConfirmed: true,
      });
    });

    it('is the nearest of its kind, by its request before its trace, and not its own copy', async () => {
      const store = await stores.open();
      const both = { ...traced(TRACE), ...tagged(ID) };
      await happens(store, 'exception', both);
      await happens(store, 'page', traced(TRACE));
      await happens(store, 'browser', tagged(ID), 9_000);
      await happens(store, 'browser', tagged(ID), -8_000, 4);
      const copy = eventEnvelope(serverEvent(NUMBERS.exception, 'pay/charge', both));
      await store.ingest([copy]);

      expect(await joinOf(store, 'exception')).toBe(`${eventIdOf(4)} by request_id`);
    });
  });
}
