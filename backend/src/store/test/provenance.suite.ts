import type { EnvelopeSource } from '../../sink/queued-envelope.ts';
import { browserEvent, envelopeOf, eventEnvelope, eventIdOf, serverEvent } from './envelopes.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

const BROWSER = { origin: 'browser', isConfirmed: false };

/** Who sent an event, by its envelope. */
export function describeProvenance(stores: StoresUnderTest): void {
  describe('the sender of an event', () => {
    it.each([
      ['own', { origin: 'own', isConfirmed: true }],
      ['gateway', { origin: 'gateway', isConfirmed: true }],
      ['server', { origin: 'server_key', isConfirmed: true }],
      ['tunnel', BROWSER],
      ['of a later version', BROWSER],
    ] as const)('is stored for the source %s', async (source, provenance) => {
      const store = await stores.open();

      const sent = { source: source as EnvelopeSource };
      const payload = { event_id: eventIdOf(1), comments: 'It broke.' };
      await store.ingest([eventEnvelope(serverEvent(1), sent)]);
      await store.ingest([envelopeOf([{ type: 'user_report', payload }], sent)]);

      expect(await store.ask('event', eventIdOf(1))).toMatchObject({ provenance });
      expect(await store.ask('issue', eventIdOf(1))).toMatchObject({
        latest: { provenance },
        feedback: [{ provenance }],
      });
      expect(await store.ask('rawEvent', eventIdOf(1))).not.toContain('provenance');
    });

    it('is no matter of its platform, nor of what it says of itself', async () => {
      const store = await stores.open();
      const provenance = { origin: 'own', isConfirmed: true };

      await store.ingest([
        eventEnvelope(browserEvent(1), { source: 'own' }),
        eventEnvelope(serverEvent(2, 'a/b', { provenance, origin: 'own' })),
      ]);

      expect(await store.ask('event', eventIdOf(1))).toMatchObject({ provenance });
      expect(await store.ask('event', eventIdOf(2))).toMatchObject({ provenance: BROWSER });
    });

    it('is stored with a browser report', async () => {
      const store = await stores.open();
      const payload = { type: 'deprecation', url: 'https://shop.example/', body: { id: 'WebSQL' } };

      await store.ingest([envelopeOf([{ type: 'raw_security', payload }], { eventId: eventIdOf(1) })]);

      expect(await store.ask('event', eventIdOf(1))).toMatchObject({ provenance: BROWSER });
    });
  });
}
