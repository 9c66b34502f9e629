import {
  envelopeOf,
  type EventBody,
  eventEnvelope,
  eventIdOf,
  RECEIVED_MS,
  serverEvent,
} from './envelopes.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

const NOW_MS = RECEIVED_MS + 60_000;

export function describeErasedEnvelopes(stores: StoresUnderTest): void {
  describe('erasedAmong', () => {
    const USER = { id: '7', email: 'ann@shop.example' };
    const body = (items: ReturnType<typeof envelopeOf>, id: number) => ({
      id,
      project: items.project,
      receivedAtMs: RECEIVED_MS,
      eventId: items.eventId,
      header: items.header,
      stored: items.items,
      isGzip: 0,
    });
    const text = (id: number, stored: string) => ({
      ...body(envelopeOf([]), id),
      stored: Buffer.from(stored),
    });

    it('finds a user in items of every type', async () => {
      const store = await stores.open();
      const { rule } = await store.ask('erase', { user: 'ann@shop.example' }, NOW_MS);
      const attributes = { 'user.email': { value: 'ann@shop.example', type: 'string' } };
      const items: readonly (readonly [string, EventBody])[] = [
        ['event', { user: USER }],
        ['transaction', { user: USER }],
        ['replay_event', { user: USER }],
        ['session', { sid: '1', did: 'ann@shop.example' }],
        ['feedback', { contexts: { feedback: { message: 'x', contact_email: 'ann@shop.example' } } }],
        ['user_report', { comments: 'x', email: 'ann@shop.example' }],
        ['log', { items: [{ body: 'x' }, { body: 'y', attributes }] }],
        ['event', { user: { id: '8' }, message: 'ann@shop.example' }],
        ['check_in', { monitor_slug: 'ann@shop.example' }],
      ];

      const ids = await store.ask(
        'erasedAmong',
        [rule],
        items.map(([type, payload], index) => body(envelopeOf([{ type, payload }]), index + 1)),
      );

      expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7]);
    });

    it('finds a user in one project only, by a rule that names it', async () => {
      const store = await stores.open();
      const project = 'https://fedcba9876543210fedcba9876543210@errors.example/2';
      const { rule } = await store.ask('erase', { user: '7', project }, NOW_MS);
      const items = [{ type: 'event', payload: { user: USER } }];

      const ids = await store.ask(
        'erasedAmong',
        [rule],
        [body(envelopeOf(items), 1), body(envelopeOf(items, { project }), 2)],
      );

      expect(ids).toEqual([2]);
    });

    it('finds the event, items that belong to it, and items without an id', async () => {
      const store = await stores.open();
      const nameless = envelopeOf([{ type: 'event', payload: { message: 'no id' } }]);
      await store.ingest([nameless]);
      const listed = await store.ask('issueEvents', await onlyDigest(store), 1, null);
      const eventId = listed?.events[0]?.eventId ?? '';
      const rules = [
        (await store.ask('erase', { eventId: eventIdOf(1) }, NOW_MS)).rule,
        (await store.ask('erase', { eventId }, NOW_MS)).rule,
      ];

      const ids = await store.ask('erasedAmong', rules, [
        body(envelopeOf([], { eventId: eventIdOf(1) }), 1),
        body(eventEnvelope(serverEvent(1)), 2),
        body(
          envelopeOf([
            { type: 'feedback', payload: { contexts: { feedback: { associated_event_id: eventIdOf(1) } } } },
          ]),
          3,
        ),
        body(nameless, 4),
        body(eventEnvelope(serverEvent(2)), 5),
      ]);

      expect(ids).toEqual([1, 2, 3, 4]);
    });

    it('searches names in cut envelopes, in other bytes and in JSON too deep to parse', async () => {
      const store = await stores.open();
      const { rule } = await store.ask('erase', { user: 'ann@shop.example' }, NOW_MS);
      const deep = `{"a":${'['.repeat(200)}{"email":"ann@shop.example"}${']'.repeat(200)}}`;

      const ids = await store.ask(
        'erasedAmong',
        [rule],
        [
          text(1, '{"type":"event","length":5000}\n{"user":{"email": "ann@shop.example'),
          text(2, '{"type":"event","length":5000}\n{"user":{"email": "ann\\u0040shop.example"}, "cut'),
          text(3, `{"type":"event"}\n${deep}`),
          text(4, 'garbage about ben@shop.example'),
        ],
      );

      expect(ids).toEqual([2, 3]);
    });
  });
}

async function onlyDigest(store: TestedStore): Promise<string> {
  return (await store.ask('issues', 1, null)).issues[0]?.digest ?? '';
}
