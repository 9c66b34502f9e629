import { ownKey } from '../../digest/digest.ts';
import { browserEvent, eventEnvelope, eventIdOf, serverEvent } from './envelopes.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';
import { pages } from './pages.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

const MANY = 120;

/** Issues, each with its own path and user; every second one is of release 2. */
function manyFaults() {
  return Array.from({ length: MANY }, (_, index) =>
    eventEnvelope(
      serverEvent(index + 1, `part/${word(index)}`, {
        release: index % 2 === 0 ? 'shop@1' : 'shop@2',
        request: { url: `https://shop.example/shelf/${index}/book` },
        user: { email: `Reader${index}@shop.example` },
      }),
    ),
  );
}

function word(index: number): string {
  return String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26));
}

async function issuesFound(store: TestedStore, query: string): Promise<number> {
  const all = await pages((cursor) => store.ask('find', query, cursor));
  return new Set(all.flatMap(({ issues }) => issues.map(({ key }) => key))).size;
}

export function describeFind(stores: StoresUnderTest): void {
  describe('a search', () => {
    it('finds the issues that match all terms', async () => {
      const store = await stores.open();
      await store.ingest(manyFaults());
      const expected = {
        'release:shop@2': MANY / 2,
        'release:shop@2 url:/shelf': MANY / 2,
        'release:shop@2 url:/shelf/1/': 1,
        'release:shop@1 url:/shelf/1/': 0,
        'release:2': MANY / 2,
        'release:SHOP@2': 0,
        'user:reader7@SHOP.example': 1,
        'user: reader7@shop.example': 1,
        'user:reader7': 0,
        'user:reader7@shop.example user:reader8@shop.example': 0,
        'url:/shelf/11': 11,
        'url:https://shop.example/shelf/11/book?page=2#top': 1,
        'url:shelf': 0,
        items: MANY,
        'has order typeerror:': MANY,
        '"has no items" release:shop@1': MANY / 2,
        '%22has%20no%20items%22': MANY,
        '%22has no items%22 100%': MANY,
        '"no has"': 0,
        'shelf/7/': 1,
        'part/aa.js': 1,
        'PART/Aa': 1,
        er: MANY,
        qq: 0,
        'items absentword': 0,
      };

      const found: Record<string, number> = {};
      for (const query of Object.keys(expected)) found[query] = await issuesFound(store, query);

      expect(found).toEqual(expected);
    });

    it('finds an issue by each name of its user and each form of its URL, release and words', async () => {
      const store = await stores.open();
      const long = `shop@1.0.0+${'b'.repeat(230)}`;
      const ann = { id: 'cust-4711', username: 'ann4711', email: 'Ann@shop.example', name: 'Ann Lee' };
      const facts = [
        { user: ann, request: { url: 'https://shop.example/%C3%BCber-uns/kontakt' } },
        { user: { id: 815, name: 'Zoe\u0308' }, request: { url: 'https://shop.example/app/#/orders/7' } },
        { user: { username: 'cust-4711' }, release: long, request: { url: 'https://shop.example/' } },
        { user: {}, exception: { values: [{ type: 'Error', value: 'GRU\u0308N url: /x' }] }, request: {} },
      ];
      await store.ingest(facts.map((fact, at) => eventEnvelope(serverEvent(at + 1, `f/${word(at)}`, fact))));
      const expected = {
        'user:ann@SHOP.example': 1,
        'user:cust-4711': 2,
        'user:ann4711': 1,
        'user:"ann LEE"': 1,
        'user:CUST-4711': 2,
        'user:Ann': 0,
        'user:cust-471': 0,
        'user:815 user:ZOË': 1,
        'url:/über-uns': 1,
        'url:https://shop.example/%C3%BCber-uns': 1,
        'url:shop.example/über-uns/kontakt': 1,
        'url:#/orders': 1,
        'url:/orders/7': 1,
        'url:https://SHOP.example/app/#/orders/7': 1,
        'url:/app': 1,
        'url:#/other': 0,
        'url:?id=7': 0,
        'url:https://shop.example': 3,
        'url:shop.example:443': 3,
        'url:https://shop.example/': 1,
        'url:https://nowhere.example': 0,
        'url:nowhere.example/app': 0,
        'url:https://nowhere.example/app/#/orders/7': 0,
        [`release:${long}`]: 1,
        'release:shop@1.0.0': 4,
        'release:1.0.0': 4,
        [`release:${long.slice(0, 200)}`]: 0,
        grün: 1,
        'gru\u0308n': 1,
        'grün url: /x': 1,
        'URL:': 0,
      };

      const found: Record<string, number> = {};
      for (const query of Object.keys(expected)) found[query] = await issuesFound(store, query);

      expect(found).toEqual(expected);
    });

    it('pages through its results, each issue once and the newest first', async () => {
      const store = await stores.open();
      await store.ingest(manyFaults());

      const all = await pages((cursor) => store.ask('find', 'items', cursor));

      expect(all.map(({ issues }) => issues.length)).toEqual([50, 50, 20]);
      expect(new Set(all.flatMap(({ issues }) => issues.map(({ key }) => key))).size).toBe(MANY);
      expect(all.every(({ reading }) => reading === 'text')).toBe(true);
    });

    it('pages through the digests with a typed prefix', async () => {
      const store = await stores.open();
      const own = (digest: string, number: number) =>
        eventEnvelope(
          serverEvent(number, 'a/b', {
            tags: { 'errata.digest': digest, 'errata.digest_key': ownKey(digest) },
          }),
          { source: 'own' },
        );
      await store.ingest(Array.from({ length: 60 }, (_, index) => own(`CART${index}`, index + 1)));

      const all = await pages((cursor) => store.ask('find', 'CART', cursor));

      expect(all.map(({ issues }) => issues.length)).toEqual([50, 10]);
      expect(all[1]).toMatchObject({ reading: 'digest', eventId: null });
    });

    it('finds words of a cause, of the code and of the page, but none of a library', async () => {
      const store = await stores.open();
      const frames = [
        { filename: '/srv/shop/node_modules/pg/lib/client.js', function: 'handleError', in_app: false },
        { filename: '/srv/shop/src/cart/sum.ts', function: 'addUp', in_app: true },
      ];
      await store.ingest([
        eventEnvelope(
          serverEvent(1, 'a/b', {
            request: { url: 'https://shop.example/checkout?token=abc' },
            exception: {
              values: [
                { type: 'DatabaseError', value: 'relation "prices" does not exist' },
                { type: 'SumError', value: 'no sum', stacktrace: { frames } },
              ],
            },
          }),
        ),
      ]);

      const found = await Promise.all(
        ['databaseerror', 'prices', 'sum.ts', 'addUp', '/checkout', 'sumerror: no', 'handleError', 'abc'].map(
          async (query) => (await store.ask('find', query)).issues.length,
        ),
      );

      expect(found).toEqual([1, 1, 1, 1, 1, 1, 0, 0]);
    });

    it('finds the message of any event, also with other numbers', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1)), eventEnvelope(browserEvent(2))]);

      const answer = await store.ask('find', 'TypeError: order 815 has no items');

      expect(answer).toMatchObject({ reading: 'text', issues: [{ kind: 'server' }] });
      expect((await store.ask('find', '815')).issues).toEqual([]);
    });

    it('finds the words of the newest event, an hour after the text was written', async () => {
      const store = await stores.open();
      const said = (number: number, message: string, receivedAtMs: number) =>
        eventEnvelope(
          serverEvent(number, 'a/b', {
            tags: { 'errata.digest': 'own', 'errata.digest_key': ownKey('own') },
            timestamp: receivedAtMs / 1000,
            exception: { values: [{ type: 'Error', value: message }] },
          }),
          { source: 'own', receivedAtMs },
        );
      const startMs = Date.UTC(2026, 10, 21, 9);
      await store.ingest([said(1, 'the shelf is empty', startMs)]);

      await store.ingest([said(2, 'the shelf is full', startMs + 3_600_000)]);

      expect((await store.ask('find', '"is full"')).issues).toHaveLength(1);
      expect((await store.ask('find', '"is empty"')).issues).toEqual([]);
    });

    it('reads every character as text', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1))]);
      const queries = [
        '%',
        '_',
        '\\',
        '"',
        'order_',
        '100%',
        "' or 1=1 --",
        'a AND b',
        'NEAR(a b)',
        '🦉',
        '\0',
        'issue_text:',
      ];

      const answers = await Promise.all(queries.map((query) => store.ask('find', query)));

      expect(answers.filter(({ issues }) => issues.length > 0)).toEqual([]);
    });

    it('finds letters of every script in any case', async () => {
      const store = await stores.open();
      const exception = { values: [{ type: 'Error', value: 'Ошибка: ÜBERTRAGUNG 🦉 gescheitert' }] };
      await store.ingest([eventEnvelope(serverEvent(1, 'a/b', { exception }))]);

      const found = await Promise.all(
        ['ошибка', 'ОШИБКА:', 'übertragung', '🦉', 'ü'].map(
          async (query) => (await store.ask('find', query)).issues.length,
        ),
      );

      expect(found).toEqual([1, 1, 1, 1, 1]);
    });
  });

  describe('a mistyped digest', () => {
    it.each([
      ['two neighbours swapped', (digest: string) => swapped(digest)],
      ['two symbols that look alike', (digest: string) => misread(digest)],
      ['one symbol another', (digest: string) => (digest.startsWith('Z') ? 'Y' : 'Z') + digest.slice(1)],
    ])('gets a suggestion: %s', async (_name, slip) => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1))]);
      const { digest = '' } = (await store.ask('event', eventIdOf(1))) ?? {};

      const answer = await store.ask('find', slip(digest));

      expect(slip(digest)).not.toBe(digest);
      expect(answer).toMatchObject({ issues: [], hint: { similar: [{ digest }] } });
    });
  });
}

/** The last two symbols that have one like them. */
function misread(digest: string): string {
  const alike: Readonly<Record<string, string>> = {
    '2': 'Z',
    '5': 'S',
    '8': 'B',
    '6': 'G',
    '1': '7',
    '0': 'D',
  };
  let left = 2;
  return [...digest]
    .toReversed()
    .map((symbol) => (left > 0 && symbol in alike && left-- > 0 ? (alike[symbol] ?? symbol) : symbol))
    .toReversed()
    .join('');
}

/** The first two neighbours that differ, also across the hyphen. */
function swapped(digest: string): string {
  const symbols = [...digest.replace('-', '')];
  const at = symbols.findIndex((symbol, index) => symbols[index + 1] !== symbol);
  symbols.splice(at, 2, symbols[at + 1] ?? '', symbols[at] ?? '');
  return `${symbols.slice(0, 4).join('')}-${symbols.slice(4).join('')}`;
}
