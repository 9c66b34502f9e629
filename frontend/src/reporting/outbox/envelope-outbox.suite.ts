import type { EnvelopeKeep } from './envelope-outbox.ts';
import type { KeepLimits, KeptEnvelope } from './queued-envelope.ts';

/** An envelope of ten bytes, one of which is no text. */
export function envelope(id: string, parts: Partial<KeptEnvelope> = {}): KeptEnvelope {
  const body = Uint8Array.from([0xff, 0x0a, ...new TextEncoder().encode(id.padEnd(8))]);
  return { id, isError: true, keptAtMs: 5_000, bytes: body.length, body, ...parts };
}

async function idsOf(keep: EnvelopeKeep): Promise<readonly string[]> {
  const heads = await keep.heads();
  return heads.map(({ id }) => id).sort();
}

/** What every keep does. `make` gives an empty one with a clock and limits. */
export function describeEnvelopeKeep(
  name: string,
  make: (now: () => number, limits: KeepLimits) => EnvelopeKeep,
): void {
  const limits = { maxCount: 2, maxBytes: 1_000, maxAgeMs: 1_000 };

  describe(name, () => {
    it('gives the bytes back as they came', async () => {
      const keep = make(() => 5_000, limits);
      const kept = envelope('a');

      await keep.add(kept);

      expect(await keep.read(kept)).toEqual(kept.body);
    });

    it('says of each what it is without its bytes', async () => {
      const keep = make(() => 5_000, limits);

      await keep.add(envelope('a', { isError: false }));

      expect(await keep.heads()).toEqual([{ id: 'a', isError: false, keptAtMs: 5_000, bytes: 10 }]);
    });

    it('has no bytes of what was removed, and removes it twice without a fault', async () => {
      const keep = make(() => 5_000, limits);
      const kept = envelope('a');
      await keep.add(kept);

      await keep.remove(kept);
      await keep.remove(kept);

      expect(await keep.read(kept)).toBeNull();
      expect(await keep.heads()).toEqual([]);
    });

    it('stays within its limits by letting go of what is worth least', async () => {
      const keep = make(() => 5_000, limits);

      for (const id of ['a', 'b']) await keep.add(envelope(id));
      await keep.add(envelope('c', { isError: false }));

      expect(await idsOf(keep)).toEqual(['a', 'b']);
    });

    it('lets go of what grew too old', async () => {
      let nowMs = 5_000;
      const keep = make(() => nowMs, limits);
      await keep.add(envelope('a'));

      nowMs = 6_001;

      expect(await keep.heads()).toEqual([]);
    });
  });
}
