import type { EventContent } from '../../contract/event-api.ts';
import { NO_SENDER } from '../../sink/queued-envelope.ts';
import {
  DELIVERED,
  DELIVERED_NO_ERROR,
  envelopeOf,
  eventIdOf,
  MALFORMED,
  RECEIVED_MS,
  serverEvent,
} from './envelopes.fixture.ts';
import { legacy, posted, USER_AGENT, violation } from './browser-reports.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

async function keptEvent(store: TestedStore, number: number): Promise<EventContent | undefined> {
  return store.ask('event', eventIdOf(number));
}

export function describeReports(stores: StoresUnderTest): void {
  describe('reports of browsers', () => {
    it('are issues that are found by their words, with path and browser', async () => {
      const store = await stores.open();

      const settled = await store.ingest([posted(1, violation())]);

      expect(settled).toEqual([DELIVERED]);
      const found = await store.ask('find', '"blocked https://evil.example"');
      expect(found.issues).toMatchObject([
        { kind: 'browser', title: 'Content-Security-Policy: script-src-elem blocked https://evil.example' },
      ]);
      expect(await store.ask('issue', found.issues[0]?.digest ?? '')).toMatchObject({ events: 1 });
      expect(await keptEvent(store, 1)).toMatchObject({
        time: '2026-11-21T12:29:58.000Z',
        path: '/orders/4711',
        browser: 'Chrome 156 on Linux',
        unmapped: null,
        exceptions: [
          {
            type: 'Content-Security-Policy',
            value: 'script-src-elem blocked https://evil.example\nsend("password=[Filtered]")',
            frames: [
              { file: 'https://shop.example/assets/index-ab12CD34.js', line: 3, column: 7, own: true },
            ],
          },
        ],
        tags: { blocked: 'https://evil.example/x.js', directive: 'script-src-elem', disposition: 'enforce' },
      });
    });

    it('have the browser of the request and the time of arrival when they contain neither', async () => {
      const store = await stores.open();
      const envelope = { ...posted(1, legacy()), sender: { ...NO_SENDER, userAgent: USER_AGENT } };

      await store.ingest([envelope]);

      expect(await keptEvent(store, 1)).toMatchObject({
        time: '2026-11-21T12:30:00.000Z',
        browser: 'Chrome 156 on Linux',
      });
    });

    it('have the release and environment of their item', async () => {
      const store = await stores.open();
      const header = { type: 'raw_security', sentry_release: 'shop@2', sentry_environment: 'staging' };
      const items = Buffer.from(`${JSON.stringify(header)}\n${JSON.stringify(legacy())}\n`);

      await store.ingest([{ ...posted(1), items }]);

      expect(await keptEvent(store, 1)).toMatchObject({ release: 'shop@2', environment: 'staging' });
      expect((await store.ask('find', 'release:shop@2')).issues).toHaveLength(1);
    });

    it('are one issue for every order, build, query, line, sample and form of report', async () => {
      const store = await stores.open();

      await store.ingest([
        posted(1, violation()),
        posted(2, violation({ documentURL: 'https://shop.example/orders/12', lineNumber: 8, sample: '' })),
        posted(3, violation({ sourceFile: 'https://shop.example/assets/index-xY98zW76.js' })),
        posted(4, violation({ blockedURL: 'https://evil.example/other.js', disposition: 'report' })),
        posted(5, legacy()),
      ]);

      expect((await store.ask('issues', 10, null)).issues.map(({ events }) => events)).toEqual([5]);
    });

    it('are one issue for all pages and scripts that load from one origin', async () => {
      const store = await stores.open();
      const pages = Array.from(
        { length: 100 },
        (_, page) => `https://shop.example/page-${'abcdefghij'[page % 10]}/${page}`,
      );

      await store.ingest(
        pages.map((url, index) => posted(index + 1, violation({ documentURL: url, sourceFile: url }))),
      );

      expect((await store.ask('issues', 10, null)).issues.map(({ events }) => events)).toEqual([100]);
    });

    it('are several issues for several directives, sources, and places of inline code', async () => {
      const store = await stores.open();
      const inline = { blockedURL: 'inline' };

      await store.ingest([
        posted(1, violation()),
        posted(2, violation({ effectiveDirective: 'img-src' })),
        posted(3, violation({ blockedURL: 'https://other.example' })),
        posted(4, violation(inline)),
        posted(5, violation({ ...inline, documentURL: 'https://shop.example/cart' })),
        posted(6, violation({ ...inline, sourceFile: 'https://shop.example/assets/admin-ab12CD34.js' })),
        posted(7, { ...violation(), type: 'deprecation' }),
        posted(8, { ...violation({ documentURL: 'https://shop.example/cart' }), type: 'deprecation' }),
      ]);

      const { issues } = await store.ask('issues', 10, null);
      expect(issues.map(({ events }) => events).toSorted((one, other) => one - other)).toEqual([
        1, 1, 1, 1, 1, 1, 2,
      ]);
    });

    it('of a batch are each counted, though they are equal, and once however often it comes', async () => {
      const store = await stores.open();
      const batch = posted(1, legacy(), legacy(), legacy());

      await store.ingest([batch]);
      await store.ingest([batch]);
      await store.ingest([posted(2, legacy(), legacy())]);

      expect((await store.ask('issues', 10, null)).issues.map(({ events }) => events)).toEqual([5]);
    });

    it('leave the envelope’s id and digest to the error beside them', async () => {
      const store = await stores.open();
      const crash = serverEvent(7, 'a/a', { event_id: undefined });
      const envelope = envelopeOf(
        [
          { type: 'raw_security', payload: legacy() },
          { type: 'event', payload: crash },
        ],
        { eventId: eventIdOf(1), source: 'server' },
      );

      const [settled] = await store.ingest([envelope]);

      const key = (await store.ask('issue', eventIdOf(1)))?.key;
      expect((await keptEvent(store, 1))?.title).toBe('TypeError: order 7 has no items');
      expect(settled).toEqual({ outcome: 'delivered', digest: key });
      expect((await store.ask('issues', 10, null)).issues).toHaveLength(2);
    });

    it('take the id of no other event by naming it', async () => {
      const store = await stores.open();

      await store.ingest([posted(1, legacy(), { ...legacy(), event_id: eventIdOf(2) })]);

      expect(await keptEvent(store, 2)).toBeUndefined();
      expect((await store.ask('issues', 10, null)).issues[0]?.events).toBe(2);
    });

    it('of networks are issues by error and address; requests that went well are none', async () => {
      const store = await stores.open();
      const nel = (type: string, url: string) => ({
        type: 'nel',
        payload: { type: 'network-error', age: 1, url, user_agent: 'UA', body: { type, status_code: 0 } },
      });

      const settled = await store.ingest([
        envelopeOf([
          nel('tcp.refused', 'https://api.example/orders/1?token=hunter2'),
          nel('tcp.refused', 'https://api.example/orders/2'),
          nel('dns.unreachable', 'https://api.example/orders/2'),
        ]),
        envelopeOf([nel('ok', 'https://api.example/orders/1')]),
      ]);

      expect(settled).toEqual([DELIVERED, DELIVERED_NO_ERROR]);
      const { issues } = await store.ask('issues', 10, null);
      expect(new Map(issues.map(({ title, events }) => [title, events]))).toEqual(
        new Map([
          ['Network error: dns.unreachable at https://api.example/orders/<n>', 1],
          ['Network error: tcp.refused at https://api.example/orders/<n>', 2],
        ]),
      );
    });

    it('contain no secret of a query, a sample or a URL', async () => {
      const store = await stores.open();

      await store.ingest([
        posted(1, violation()),
        posted(2, {
          type: 'deprecation',
          url: 'https://u:hunter2@shop.example/?token=hunter2',
          body: { id: 'a', message: 'password=hunter2' },
        }),
      ]);

      const kept = JSON.stringify([
        await keptEvent(store, 1),
        await keptEvent(store, 2),
        await store.ask('issues', 9, null),
      ]);
      expect(kept).toContain('[Filtered]');
      expect(kept).not.toContain('hunter2');
    });

    it('are stored in brief in a flood, with their texts', async () => {
      const store = await stores.open();
      const flood = Array.from({ length: 120 }, (_, index) => posted(index + 1, violation()));

      await store.ingest(flood);

      const events: (EventContent | undefined)[] = [];
      // In turn: the store limits the time that a query waits for a connection.
      for (const index of flood.keys()) events.push(await keptEvent(store, index + 1));
      const brief = events.find((event) => event?.brief === true);
      const full = events.find((event) => event?.brief !== true);
      expect(events.filter((event) => event?.brief === true)).toHaveLength(18);
      expect(brief).toMatchObject({
        title: full?.title,
        tags: full?.tags,
        path: '/orders/4711',
        browser: 'Chrome 156 on Linux',
      });
      expect((await store.ask('issues', 10, null)).issues[0]?.events).toBe(120);
    });

    it.each([
      ['no JSON', '{"csp-report":'],
      ['a list', '[{"type":"coop"}]'],
      ['a text', '"csp-report"'],
      ['nested too deep', `{"csp-report":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ])('that are %s are refused', async (_name, payload) => {
      const store = await stores.open();

      expect(await store.ingest([envelopeOf([{ type: 'raw_security', payload }])])).toEqual([MALFORMED]);
    });

    it.each([
      ['an empty object', '{}'],
      ['no object where one belongs', '{"csp-report":[1,"x"]}'],
      [
        'members of wrong types',
        '{"type":"csp-violation","age":"x","url":{},"user_agent":[],"body":{"documentURL":7,"sourceFile":{},"lineNumber":"3","sample":[1],"disposition":{}}}',
      ],
      ['a time out of this world', '{"type":"deprecation","age":-1e308,"url":"http://[","body":{"id":"x"}}'],
      [
        'NUL, lone surrogates and line breaks',
        '{"type":"a\\u0000\\ud800\\nb","url":"https://a.example/\\u0000\\ud800","body":{"id":"\\ud800\\u0000","sourceFile":"\\udfff\\u0000.js","blockedURL":"\\ud800:\\u0000"}}',
      ],
      [
        'names of the language',
        '{"__proto__":{"type":"x"},"type":"constructor","body":{"__proto__":{"id":"y"},"toString":1}}',
      ],
      [
        'long texts',
        JSON.stringify(
          legacy({
            'document-uri': `https://a.example/${'x'.repeat(50_000)}`,
            'blocked-uri': 'y'.repeat(50_000),
            'script-sample': 'z'.repeat(50_000),
            disposition: 'd'.repeat(50_000),
            'violated-directive': 'e'.repeat(50_000),
          }),
        ),
      ],
    ])('of %s are stored', async (_name, payload) => {
      const store = await stores.open();

      const settled = await store.ingest([
        envelopeOf([{ type: 'raw_security', payload }], { eventId: eventIdOf(1) }),
      ]);

      expect(settled).toEqual([DELIVERED]);
      const event = await keptEvent(store, 1);
      expect(event?.title.length).toBeGreaterThan(5);
      expect(event?.title.length).toBeLessThanOrEqual(200);
      expect(Math.max(0, ...Object.values(event?.tags ?? {}).map((tag) => tag.length))).toBeLessThanOrEqual(
        200,
      );
      expect(Date.parse(event?.time ?? '')).toBe(RECEIVED_MS);
      expect(stores.faults).toEqual([]);
    });
  });
}
