import type { EnvelopeOutbox } from './envelope-outbox.ts';
import type { OutboxLimits, OutboxEnvelope } from './queued-envelope.ts';

/** Returns an envelope of ten bytes, one of them not UTF-8. */
export function envelope(id: string, parts: Partial<OutboxEnvelope> = {}): OutboxEnvelope {
  const body = Uint8Array.from([0xff, 0x0a, ...new TextEncoder().encode(id.padEnd(8))]);
  return { id, isError: true, queuedAtMs: 5_000, bytes: body.length, body, ...parts };
}

async function idsOf(outbox: EnvelopeOutbox): Promise<readonly string[]> {
  const heads = await outbox.heads();
  return heads.map(({ id }) => id).sort();
}

/** Tests the behaviour of every outbox. `make` returns an empty one with a clock and limits. */
export function describeEnvelopeOutbox(
  name: string,
  make: (now: () => number, limits: OutboxLimits) => EnvelopeOutbox,
): void {
  const limits = { maxCount: 2, maxBytes: 1_000, maxAgeMs: 1_000 };

  describe(name, () => {
    it('returns the bytes unchanged', async () => {
      const outbox = make(() => 5_000, limits);
      const queued = envelope('a');

      await outbox.add(queued);

      expect(await outbox.read(queued)).toEqual(queued.body);
    });

    it('lists envelopes without their bytes', async () => {
      const outbox = make(() => 5_000, limits);

      await outbox.add(envelope('a', { isError: false }));

      expect(await outbox.heads()).toEqual([{ id: 'a', isError: false, queuedAtMs: 5_000, bytes: 10 }]);
    });

    it('returns null for a removed envelope, and removing it twice is no error', async () => {
      const outbox = make(() => 5_000, limits);
      const queued = envelope('a');
      await outbox.add(queued);

      await outbox.remove(queued);
      await outbox.remove(queued);

      expect(await outbox.read(queued)).toBeNull();
      expect(await outbox.heads()).toEqual([]);
    });

    it('stays within its limits by evicting the envelope of lowest priority', async () => {
      const outbox = make(() => 5_000, limits);

      for (const id of ['a', 'b']) await outbox.add(envelope(id));
      await outbox.add(envelope('c', { isError: false }));

      expect(await idsOf(outbox)).toEqual(['a', 'b']);
    });

    it('removes expired envelopes', async () => {
      let nowMs = 5_000;
      const outbox = make(() => nowMs, limits);
      await outbox.add(envelope('a'));

      nowMs = 6_001;

      expect(await outbox.heads()).toEqual([]);
    });
  });
}
