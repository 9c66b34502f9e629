import { CLIENT_ERROR_TEXT, SERVER_ERROR_TEXT } from '../../contract/texts.ts';
import { DAY_MS, HOUR_MS } from '../../time/iso.ts';
import { browserEvent, eventEnvelope, eventIdOf, RECEIVED_MS, serverEvent } from './envelopes.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';
import { digestOfEvent, type TestedStore } from './tested-store.fixture.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TAGGED_TRACE = '5bf92f3577b34da6a3ce929d0e0e4736';
const UUID = '0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d';
const AMAZON = '1-67891233-abcdef012345678912345678';
/** The event that is looked for, and its neighbours of the same issue. */
const MEANT = 50;
const EVENTS = 60;

/** Returns the ids of one event; those of another end with another number. */
function idsOf(number: number) {
  const end = String(number).padStart(4, '0');
  const other = (id: string) => (number === MEANT ? id : id.slice(0, -4) + end);
  return {
    contexts: { trace: { trace_id: other(TRACE) } },
    request: {
      url: `https://shop.example/orders/${number}?token=x`,
      headers: [
        ['X-Request-ID', other(UUID)],
        ['X-Amzn-Trace-Id', `Root=${other(AMAZON)}`],
        ['CF-Ray', `${other('8f2b5c1d9e3a4b6c')}-FRA`],
      ],
    },
    user: {
      id: `cust-${number}`,
      email: `reader${number}@shop.example`,
      username: `reader-${number}`,
      name: `Reader No ${number}`,
    },
    release: `shop@1.0.${number}`,
    environment: `stage-${number}`,
    server_name: `web-${number}`,
    tags: {
      'next.digest': `29560687${number}@E263`,
      plan: number === MEANT ? 'gold' : 'silver',
      request_id: `r${number}`,
      traceparent: `00-${other(TAGGED_TRACE)}-00f067aa0ba902b7-01`,
    },
    extra: { digest: `39560687${number}`, order: { id: `${number}-4712-AB` }, parts: [`${number}-4713-AB`] },
    fingerprint: ['next-rsc', `fault-of-all-0`],
    exception: { values: [{ type: 'Error', value: `order ${number}-4711-AB is lost` }] },
  };
}

/** Stores events of one issue among those of another, oldest first. */
async function manyEvents(store: TestedStore): Promise<void> {
  const numbers = Array.from({ length: EVENTS }, (_, index) => index + 1);
  await store.ingest(numbers.map((number) => eventEnvelope(serverEvent(number, 'a/b', idsOf(number)))));
  await store.ingest([eventEnvelope(browserEvent(EVENTS + 1))]);
}

export function describeFindIds(stores: StoresUnderTest): void {
  describe('an id of an event', () => {
    it.each([
      ['trace_id', TRACE],
      ['trace_id', TAGGED_TRACE],
      ['trace_id', `traceparent: 00-${TRACE}-00f067aa0ba902b7-01`],
      ['trace_id', `{"type":"about:blank","status":500,"traceId":"00-${TRACE}-00f067aa0ba902b7-00"}`],
      ['trace_id', `sentry-trace: ${TRACE}-00f067aa0ba902b7-1`],
      ['request_id', UUID.toUpperCase()],
      ['trace_id', UUID.replaceAll('-', '')],
      ['request_id', `X-Request-ID: ${UUID}`],
      ['request_id', `Root=${AMAZON}`],
      ['request_id', 'Ray ID: 8f2b5c1d9e3a4b6c'],
      ['request_id', '8f2b5c1d9e3a4b6c-FRA'],
      ['request_id', 'requestId=r50'],
      ['request_id', '%22requestId%22%3A%22r50%22'],
      ['user', 'Reader50@SHOP.example'],
      ['user', 'user:cust-50'],
      ['user', 'user: cust-50'],
      ['user', 'user:"reader no 50"'],
      ['url', 'https://shop.example/orders/50?from=mail'],
      ['url', 'url:/orders/50'],
      ['url', 'url: https://shop.example/orders/50'],
      ['url', 'shop.example/orders/50?from=mail'],
      ['url', 'GET https://shop.example/orders/50 500 (Internal Server Error)'],
      ['url', `curl 'https://shop.example/orders/50' \\\n  -H 'accept: */*'`],
      ['url', 'see [the order](https://shop.example/orders/50/), please'],
      ['url', '"https://www.shop.example/orders/50/".'],
      ['url', 'GET /orders/50?from=mail HTTP/1.1'],
      ['user', 'email:reader50@shop.example'],
      ['user', 'write to <mailto:reader50@shop.example>'],
      ['user', 'cust-50'],
      ['release', 'shop@1.0.50'],
      ['server', 'web-50'],
      ['release', 'release:shop@1.0.50'],
      ['environment', 'environment:Stage-50'],
      ['server', 'server:web-50'],
      ['server', 'server:web-50 user:cust-50 url:/orders'],
      ['url', 'url:https://shop.example/orders/50 Server:web-50 release:1.0.50'],
      ['environment', 'environment:stage-50 server:web-50'],
      ['tag', 'tag:plan:gold -user:cust-0'],
      ['tag', 'plan:gold'],
      ['tag', '2956068750@E263'],
      ['tag', 'Digest: 2956068750@E263'],
      ['tag', `${SERVER_ERROR_TEXT}\nDigest: 2956068750@E263\n`],
      ['tag', '3956068750'],
      ['tag', '50-4712-AB'],
      ['tag', '50-4713-AB'],
      ['tag', 'order 50-4711-AB'],
      ['event_id', eventIdOf(MEANT).slice(0, 12)],
    ])('opens that very event as %s: %s', async (reading, pasted) => {
      const store = await stores.open();
      await manyEvents(store);

      const answer = await store.ask('find', pasted);

      expect(answer).toMatchObject({ reading, issues: [{ match: { eventId: eventIdOf(MEANT) } }] });
      expect(answer.issues).toHaveLength(1);
      expect(answer.readings.map(({ as }) => as)).toContain(reading);
      expect(answer).not.toHaveProperty('hint');
    });

    it.each([
      ['tag', 'plan:gold server:web-50 url:/orders'],
      ['tag', 'user:reader50@shop.example plan:gold'],
      ['tag', 'release:1.0.50 order:"50-4711-AB"'],
      ['request_id', 'user:cust-50 requestId:r50'],
    ])('is a field beside others, which the same event has, as %s: %s', async (reading, pasted) => {
      const store = await stores.open();
      await manyEvents(store);

      const answer = await store.ask('find', pasted);
      const other = await store.ask('find', pasted.replace('50', '49'));

      expect(answer).toMatchObject({ reading, eventId: eventIdOf(MEANT), next: null });
      expect(other).toMatchObject({
        readings: expect.arrayContaining(answer.readings.slice(2, -1)),
        issues: [],
      });
    });

    it('opens the newest event of each issue that has it, the newest first', async () => {
      const store = await stores.open();
      const tags = { order: '4711-AB' };
      await store.ingest([
        eventEnvelope(serverEvent(1, 'a/b', { tags })),
        eventEnvelope(browserEvent(2, { tags })),
        eventEnvelope(serverEvent(3, 'a/b', { tags })),
        eventEnvelope(serverEvent(4, 'a/b')),
      ]);

      const { issues, eventId, searched } = await store.ask('find', '4711-ab');

      expect(issues.map(({ kind, match }) => [kind, match?.eventId])).toEqual([
        ['server', eventIdOf(3)],
        ['browser', eventIdOf(2)],
      ]);
      expect([eventId, searched]).toEqual([
        null,
        { events: 4, since: '2026-11-21T12:30:00.000Z', isAll: true },
      ]);
    });

    it('in a pasted message opens the event of that message, not another one with the same code', async () => {
      const store = await stores.open();
      const said = (number: number, value: string) =>
        eventEnvelope(
          serverEvent(number, `a/${value.length}`, { exception: { values: [{ type: 'Error', value }] } }),
        );
      await store.ingest([
        said(1, 'connect ECONNREFUSED 127.0.0.1:5432'),
        said(2, 'connect ECONNREFUSED 127.0.0.1:5432'),
        said(3, 'connect ETIMEDOUT 127.0.0.1:5432'),
      ]);

      const eventsOf = async (query: string) => {
        const { reading, issues } = await store.ask('find', query);
        return [reading, ...issues.map(({ match }) => match?.eventId)];
      };

      expect(await eventsOf('Error: connect ECONNREFUSED 127.0.0.1:5432')).toEqual(['text', eventIdOf(2)]);
      expect(await eventsOf('127.0.0.1:5432')).toEqual(['tag', eventIdOf(3), eventIdOf(2)]);
      expect(await eventsOf('cannot reach 127.0.0.1:5432')).toEqual(['tag', eventIdOf(3), eventIdOf(2)]);
    });

    it('is found in an event that is stored in brief', async () => {
      const store = await stores.open();
      const numbers = Array.from({ length: 120 }, (_, index) => index + 1);
      const contexts = (number: number) => ({
        contexts: { trace: { trace_id: String(number).padStart(32, 'a') } },
      });
      await store.ingest(
        numbers.map((number) => eventEnvelope(serverEvent(number, 'a/b', contexts(number)))),
      );

      const { eventId } = await store.ask('find', '118'.padStart(32, 'a'));

      expect([eventId, (await store.ask('event', eventIdOf(118)))?.brief]).toEqual([eventIdOf(118), true]);
    });

    it.each([
      ['1'.repeat(32), ['event_id', 'trace_id', 'request_id', 'user', 'text']],
      [UUID, ['event_id', 'request_id', 'user', 'text']],
      ['X-Request-ID: r-1', ['request_id', 'text']],
      ['none@shop.example', ['user', 'text']],
      ['https://shop.example/none', ['url', 'text']],
      ['plan:silver', ['tag', 'text']],
      ['AAAA-BBBB', ['digest', 'reference', 'text']],
      ['1956068727', ['digest', 'event_id', 'tag', 'user', 'release', 'server', 'text']],
      ['user:none release:shop@1', ['user', 'release']],
    ])('that no event has is explained by how it was read: %s', async (pasted, readings) => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1)), eventEnvelope(browserEvent(2))]);

      const answer = await store.ask('find', pasted);

      expect(answer.readings.map(({ as }) => as)).toEqual(readings);
      expect(answer).toMatchObject({ reading: readings[0], issues: [], eventId: null, hint: { recent: [] } });
    });

    it.each(['Ann@shop.example', 'https://shop.example/orders/4711'])(
      'of a user or a place is found in an event of an earlier version, too: %s',
      async (pasted) => {
        const store = await stores.open();
        await store.ingest([eventEnvelope(serverEvent(1)), eventEnvelope(browserEvent(2))]);
        await store.db.deleteFrom('event_ids').execute();

        const { issues } = await store.ask('find', pasted);

        expect(issues.map(({ match }) => match?.eventId)).toEqual([eventIdOf(1)]);
      },
    );

    it('is searched in all events, or not, as the answer says', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1))]);
      await store.ingest([eventEnvelope(serverEvent(2), { receivedAtMs: RECEIVED_MS + HOUR_MS })]);
      const whole = (await store.ask('find', TRACE)).searched;

      // As in a store of an earlier version.
      await store.db
        .deleteFrom('event_ids')
        .where('event', 'in', (query) =>
          query.selectFrom('event').select('id').where('event_id', '=', eventIdOf(1)),
        )
        .execute();
      const part = (await store.ask('find', TRACE)).searched;
      await store.db.deleteFrom('event_ids').execute();

      expect(whole).toEqual({ events: 2, since: '2026-11-21T12:30:00.000Z', isAll: true });
      expect(part).toEqual({ events: 1, since: '2026-11-21T13:30:00.000Z', isAll: false });
      expect((await store.ask('find', TRACE)).searched).toEqual({ events: 0, since: null, isAll: false });
    });
  });

  describe('the sentence of an error page', () => {
    it.each([
      ['client', CLIENT_ERROR_TEXT, 'browser', 12, 10],
      ['server', ` ${SERVER_ERROR_TEXT.toLowerCase()}\n`, 'server', 4, 4],
    ])(
      'of the %s names no error, and has the newest issues of the last hour',
      async (source, sentence, kind, stored, recent) => {
        const store = await stores.open();
        const at = (body: object, ageMs: number) =>
          eventEnvelope(
            { ...body, timestamp: (RECEIVED_MS - ageMs) / 1000 },
            { receivedAtMs: RECEIVED_MS - ageMs },
          );
        const exception = { values: [{ type: 'Error', value: sentence.trim() }] };
        const both = (number: number, ageMs: number) => [
          at(serverEvent(number, `a/b`, { fingerprint: [`s${number}`], exception }), ageMs),
          at(browserEvent(100 + number, { fingerprint: [`b${number}`] }), ageMs),
        ];
        await store.ingest([...both(91, 2 * HOUR_MS), ...both(92, DAY_MS)]);
        await store.ingest(
          Array.from({ length: stored }, (_, index) => both(index + 1, index * 1_000)).flat(),
        );

        const answer = await store.ask('find', sentence);

        expect(answer).toMatchObject({ reading: `${source}_sentence`, issues: [], hint: { similar: [] } });
        expect(answer.readings).toEqual([{ as: `${source}_sentence`, value: sentence.trim() }]);
        expect(new Set(answer.hint?.recent.map((issue) => issue.kind))).toEqual(new Set([kind]));
        expect(answer.hint?.recent).toHaveLength(recent);
        expect(answer.hint?.recent[0]?.lastSeen).toBe('2026-11-21T12:30:00.000Z');
      },
    );
  });

  it('suggests the digest of which one symbol is missing', async () => {
    const store = await stores.open();
    await store.ingest([eventEnvelope(serverEvent(1))]);
    const digest = await digestOfEvent(store, 1);

    const answers = [0, 2, 6].map((at) => store.ask('find', digest.slice(0, at) + digest.slice(at + 1)));

    for (const answer of await Promise.all(answers))
      expect(answer).toMatchObject({ reading: 'digest', issues: [], hint: { similar: [{ digest }] } });
  });
}
