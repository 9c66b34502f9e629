import type { QueuedBody, WebhookIssue } from '../../contract/webhook-api.ts';
import type { EnvelopeSource } from '../../sink/queued-envelope.ts';
import { alertOptions, TARGET } from './alert-options.fixture.ts';
import { eventEnvelope, serverEvent } from './envelopes.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

const MINUTE_MS = 60_000;

/** Makes issues, one for each number. */
async function makeIssues(store: TestedStore, source: EnvelopeSource, from: number, count: number) {
  const numbers = Array.from({ length: count }, (_, index) => from + index);
  const wordOf = (number: number) => [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  await store.ingest(numbers.map((number) => eventEnvelope(serverEvent(number, wordOf(number)), { source })));
}

function issuesOf(body: QueuedBody): readonly WebhookIssue[] {
  return body.type === 'issues.summary' ? body.data.issues : [body.data];
}

/** The order of the alerts of confirmed and of forged issues. */
export function describeConfirmedAlerts(stores: StoresUnderTest): void {
  describe('the alerts of confirmed issues', () => {
    const open = () => stores.open(undefined, alertOptions(stores));

    /** Returns those of a minute: senders of the issues, and how many issues each reports. */
    async function claimed(store: TestedStore): Promise<readonly (readonly [string, number])[]> {
      stores.nowMs += MINUTE_MS;
      const { alerts } = await store.ask('claimAlerts', TARGET.id);
      for (const { id } of alerts) await store.ask('settleAlert', id, null);
      return alerts.map(({ body }) => {
        const parsed = body;
        const senders = issuesOf(parsed).map((issue) => (issue.isConfirmed ? 'confirmed' : 'public'));
        const count = parsed.type === 'issues.summary' ? parsed.data.counts['issue.new'] : 1;
        return [[...new Set(senders)].join(), count];
      });
    }

    const single = (sender: string, count: number) => Array.from({ length: count }, () => [sender, 1]);

    it('go before those of any number of forged ones, and into no summary of them', async () => {
      const store = await open();
      await makeIssues(store, 'tunnel', 1_000, 300);
      await makeIssues(store, 'server', 2_000, 1);

      expect(await claimed(store)).toEqual([['confirmed', 1], ...single('public', 18), ['public', 282]]);
      expect(await claimed(store)).toEqual([]);
    });

    it.each<readonly [EnvelopeSource, EnvelopeSource]>([
      ['tunnel', 'server'],
      ['server', 'tunnel'],
    ])(
      'have a summary of their own, and the others wait for the next minute: %s, then %s',
      async (...order) => {
        const store = await open();
        for (const [place, source] of order.entries())
          await makeIssues(store, source, 1_000 * (place + 1), 25);

        expect(await claimed(store)).toEqual([...single('confirmed', 19), ['confirmed', 6]]);
        expect(await claimed(store)).toEqual([...single('public', 19), ['public', 6]]);
      },
    );

    it('are sent one by one while a minute has room for them', async () => {
      const store = await open();
      await makeIssues(store, 'tunnel', 1_000, 5);
      await makeIssues(store, 'server', 2_000, 20);

      expect(await claimed(store)).toEqual(single('confirmed', 20));
      expect(await claimed(store)).toEqual(single('public', 5));
    });

    it('are those of an issue that became confirmed while it waited', async () => {
      const store = await open();
      await makeIssues(store, 'tunnel', 1_000, 30);

      await store.ingest([eventEnvelope(serverEvent(1, 'bacf'), { source: 'server' })]);

      expect((await claimed(store))[0]).toEqual(['confirmed', 1]);
    });
  });
}
