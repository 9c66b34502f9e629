import type { IssueDelivery } from '../../contract/webhook-api.ts';
import type { EnvelopeSource } from '../../sink/queued-envelope.ts';
import { unconfirmedKey } from '../issues/issue-names.ts';
import {
  browserEvent,
  type EventBody,
  eventEnvelope,
  eventIdOf,
  PROJECT,
  RECEIVED_MS,
  serverEvent,
} from './envelopes.fixture.ts';
import { alertOptions, TARGET } from './alert-options.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

const MINUTE_MS = 60_000;
const OTHER_PROJECT = 'https://fedcba9876543210fedcba9876543210@errors.example/2';

/** An event with its number in the title. @param minute of its arrival, after the fixtures'. */
function sent(
  source: EnvelopeSource,
  number: number,
  minute = 0,
  file = 'orders/load',
  changes: EventBody = {},
) {
  const receivedAtMs = RECEIVED_MS + minute * MINUTE_MS;
  const body = serverEvent(number, file, { timestamp: receivedAtMs / 1000, ...changes });
  return eventEnvelope(body, { source, receivedAtMs });
}

/** Returns the issue of an event. */
async function issueOf(store: TestedStore, number: number) {
  const issue = await store.ask('issue', eventIdOf(number));
  if (issue === undefined) throw new Error(`event ${number} has no issue`);
  return issue;
}

async function resolve(store: TestedStore, number: number, resolvedIn: string | null = null): Promise<void> {
  const { key, project } = await issueOf(store, number);
  await store.ask('setStatus', { issues: [{ key, project }], status: 'resolved', resolvedIn });
}

/** Returns event and sender of the deliveries that are due. */
async function alerts(store: TestedStore): Promise<readonly (readonly [string, boolean])[]> {
  const claimed = await store.ask('claimAlerts', TARGET.id);
  for (const { id } of claimed.alerts) await store.ask('settleAlert', id, null);
  const bodies = claimed.alerts.map(({ body }) => body) as readonly IssueDelivery[];
  return bodies.map(({ type, data }) => [type, data.isConfirmed]);
}

/** An issue is all confirmed or all not. */
export function describeConfirmedIssues(stores: StoresUnderTest): void {
  const open = () => stores.open(undefined, alertOptions(stores));

  describe('an issue', () => {
    it('of the public key alone is one, which alerts and reopens', async () => {
      const store = await open();
      await store.ingest([sent('tunnel', 1), sent('tunnel', 2)]);
      const first = await alerts(store);
      await resolve(store, 1);

      await store.ingest([sent('tunnel', 3, 1)]);

      const expected = {
        isConfirmed: false,
        events: 3,
        alsoIn: [],
        status: 'open',
        regressed: expect.any(String),
      };
      expect(await issueOf(store, 1)).toMatchObject(expected);
      expect([first, await alerts(store)]).toEqual([[['issue.new', false]], [['issue.regressed', false]]]);
    });

    it.each<EnvelopeSource>(['own', 'gateway', 'server'])(
      'of the sender %s gets no event of the public key, which makes one of its own',
      async (source) => {
        const store = await open();
        await store.ingest([sent(source, 1)]);
        await store.ingest([sent('tunnel', 2, 1), sent('tunnel', 3, 1)]);

        const [confirmed, other] = [await issueOf(store, 1), await issueOf(store, 2)];

        expect(confirmed).toMatchObject({ isConfirmed: true, events: 1, latest: { eventId: eventIdOf(1) } });
        expect(confirmed.title).toContain('order 1');
        expect(other).toMatchObject({ isConfirmed: false, events: 2, key: unconfirmedKey(confirmed.key) });
        expect(await alerts(store)).toEqual([
          ['issue.new', true],
          ['issue.new', false],
        ]);
      },
    );

    it.each([
      ['later', MINUTE_MS / 2],
      ['earlier', -MINUTE_MS],
    ])(
      'of the public key becomes confirmed by an event, and keeps its history: one %s',
      async (_name, ms) => {
        const store = await open();
        const fingerprint = ['payment'];
        const timestamp = (RECEIVED_MS + ms) / 1000;
        const forged = { fingerprint, timestamp, release: 'forged@9' };
        await store.ingest([eventEnvelope(browserEvent(1, forged))]);
        const { digest, key } = await issueOf(store, 1);
        await store.ask('addNote', digest, { author: 'ann', text: 'Seen before.' });
        await store.ask('setStatus', { issues: [{ key, project: PROJECT }], status: 'ignored' });
        const before = await alerts(store);

        await store.ingest([sent('server', 2, 0, 'a/b', { fingerprint })]);
        await store.ingest([sent('tunnel', 3, 2, 'a/b', { fingerprint })]);

        expect(await issueOf(store, 1)).toMatchObject({
          key,
          isConfirmed: true,
          kind: 'server',
          title: 'TypeError: order 2 has no items',
          firstRelease: 'shop@1.0.0',
          release: 'shop@1.0.0',
          events: 2,
          status: 'ignored',
          notes: [{ text: 'Seen before.' }],
        });
        expect(await issueOf(store, 3)).toMatchObject({ isConfirmed: false, events: 1 });
        expect([before, await alerts(store)]).toEqual([[['issue.new', false]], [['issue.new', false]]]);
      },
    );

    it('settles its envelopes apart from those of the public key, which the spool compares', async () => {
      const store = await open();

      const settled = await store.ingest([
        sent('server', 1),
        sent('own', 2),
        sent('tunnel', 3),
        sent('tunnel', 4),
      ]);

      const digests = settled.map((settlement) => settlement.outcome === 'delivered' && settlement.digest);
      const { key } = await issueOf(store, 1);
      expect(digests).toEqual([key, key, unconfirmedKey(key), unconfirmedKey(key)]);
    });

    it('that is resolved and confirmed stays resolved; the other one reopens by its own status', async () => {
      const store = await open();
      await store.ingest([sent('server', 1)]);
      await resolve(store, 1);
      await store.ingest([sent('tunnel', 2, 1)]);
      const first = await issueOf(store, 2);
      stores.nowMs += MINUTE_MS;
      await resolve(store, 2);

      await store.ingest([sent('tunnel', 3, 2)]);

      expect(await issueOf(store, 1)).toMatchObject({ status: 'resolved', regressed: null, events: 1 });
      expect([first.status, first.regressed]).toEqual(['open', null]);
      expect(await issueOf(store, 2)).toMatchObject({
        status: 'open',
        regressed: expect.any(String),
        events: 2,
      });
    });

    it('has the confirmed events of a batch, as if they had come first', async () => {
      const store = await open();

      await store.ingest([sent('tunnel', 1), sent('server', 2), sent('tunnel', 3)]);

      expect(await issueOf(store, 2)).toMatchObject({ isConfirmed: true, events: 1 });
      expect(await issueOf(store, 1)).toMatchObject({ isConfirmed: false, events: 2 });
    });

    it('for further errors of a network is all confirmed or all not', async () => {
      const store = await stores.open();
      const sender = { ...eventEnvelope({}).sender, address: '192.0.2.1' };
      const word = (index: number) =>
        [...String(index)].map((digit) => String.fromCharCode(97 + Number(digit))).join('');
      const many = Array.from({ length: 1_000 }, (_, index) =>
        sent('tunnel', index + 1, 0, `many/${word(index)}`),
      );
      await store.ingest(many.map((envelope) => ({ ...envelope, sender })));

      await store.ingest([
        { ...sent('tunnel', 2_001, 0, 'x/one'), sender },
        { ...sent('server', 2_002, 0, 'x/two'), sender },
      ]);

      expect(await issueOf(store, 2_001)).toMatchObject({ isConfirmed: false, events: 1, alsoIn: [] });
      expect(await issueOf(store, 2_002)).toMatchObject({ isConfirmed: true, events: 1, alsoIn: [] });
    });
  });

  describe('a digest of two issues', () => {
    it('means the confirmed one, which names the other one by its key', async () => {
      const store = await open();
      await store.ingest([sent('server', 1)]);
      const { digest, key } = await issueOf(store, 1);
      await store.ingest([sent('tunnel', 2, 5), sent('tunnel', 3, 5)]);

      const answer = await store.ask('issue', digest);
      const other = await store.ask('issue', unconfirmedKey(key));

      const name = { project: PROJECT, digest };
      const [first, second] = [
        { ...name, address: digest, isShared: false, isConfirmed: true, events: 1 },
        { ...name, address: unconfirmedKey(key), isShared: true, isConfirmed: false, events: 2 },
      ];
      expect(answer).toMatchObject({ ...first, alsoIn: [second] });
      expect(other).toMatchObject({ ...second, alsoIn: [first] });
      expect((await store.ask('find', digest)).issues).toMatchObject([first]);
      expect((await store.ask('find', digest.slice(0, 7))).issues).toMatchObject([first]);
      expect((await store.ask('issues', 10, null)).issues).toMatchObject([second, first]);
      expect(await store.ask('issueEvents', digest, 10, null)).toMatchObject({
        events: [{ eventId: eventIdOf(1) }],
      });
    });

    it('means the confirmed one of all projects', async () => {
      const store = await open();
      await store.ingest([sent('server', 1), { ...sent('tunnel', 2, 5), project: OTHER_PROJECT }]);
      const { digest } = await issueOf(store, 1);

      expect(await store.ask('issue', digest)).toMatchObject({
        project: PROJECT,
        isShared: false,
        alsoIn: [{ project: OTHER_PROJECT, address: digest, isShared: true }],
      });
      expect(await store.ask('issue', digest, OTHER_PROJECT)).toMatchObject({
        latest: { eventId: eventIdOf(2) },
      });
    });
  });

  /** Commits, whose names say no order. */
  const [OLD, FIX, NEXT] = ['shop@fe01c2a', 'shop@0be7d5c', 'shop@c4d3a1e'] as const;

  /** Events of releases; each row: what happens before, the release that comes last, and what becomes of the issue. */
  describe.each<readonly [EnvelopeSource, EnvelopeSource]>([
    ['server', 'tunnel'],
    ['tunnel', 'tunnel'],
  ])('an issue of %s, resolved in a release, with releases of %s too', (source, stranger) => {
    const released = (by: EnvelopeSource, number: number, release: string, minute: number) =>
      sent(by, number, minute, 'another/fault', { release });

    async function statusAfter(
      before: readonly ReturnType<typeof sent>[],
      after: readonly ReturnType<typeof sent>[],
      release: string,
    ): Promise<unknown> {
      const store = await stores.open();
      await store.ingest([released(stranger, 8, OLD, -1)]);
      await store.ingest([sent(source, 1, 0, 'orders/load', { release: OLD })]);
      for (const envelope of before) await store.ingest([envelope]);
      stores.nowMs = RECEIVED_MS + 3 * MINUTE_MS;
      await resolve(store, 1, FIX);
      for (const envelope of after) await store.ingest([envelope]);
      await store.ingest([sent(source, 9, 9, 'orders/load', { release })]);
      return (await issueOf(store, 1)).status;
    }

    it('stays closed for a release before the fix', async () => {
      expect(await statusAfter([released(source, 2, FIX, 1)], [], OLD)).toBe('resolved');
    });

    it('opens for a release after it, which a stranger may send early', async () => {
      const early = [released(stranger, 2, NEXT, 1), released(source, 3, FIX, 2)];

      expect(await statusAfter(early, [], NEXT)).toBe(source === 'server' ? 'open' : 'resolved');
    });

    it('opens for a release after the resolution, if a stranger sends the fix late', async () => {
      const late = [released(source, 2, NEXT, 4), released(stranger, 3, FIX, 5)];

      expect(await statusAfter([], late, NEXT)).toBe(source === 'server' ? 'open' : 'resolved');
    });

    it('orders releases that only browsers have seen for issues of browsers only', async () => {
      const seen = [released('tunnel', 2, FIX, 1), released('tunnel', 3, NEXT, 2)];

      expect(await statusAfter(seen, [], NEXT)).toBe('open');
    });
  });
}
