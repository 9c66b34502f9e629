import type { BodyMemory, Reservation } from './body-memory.ts';
import { begun, KIB, memory, MIB } from './body-memory.fixture.ts';

describe('BodyMemory without room for a larger body', () => {
  /** Has larger bodies use up their part, and returns them, the oldest first. */
  function full(bytes: BodyMemory): readonly [Reservation, Reservation, Reservation] {
    const bodies = [begun(bytes, 20 * MIB), begun(bytes, 20 * MIB), begun(bytes, 20 * MIB)] as const;
    for (const body of bodies) expect(body.grow(8 * MIB)).toBe('ok');
    return bodies;
  }

  it('lets the oldest larger body exceed their part, while younger ones wait for room', async () => {
    const bytes = memory();
    const [oldest, second, third] = full(bytes);

    const waiting = [third.grow(8 * MIB), second.grow(8 * MIB)];
    const exceeding = oldest.grow(12 * MIB);
    const most = bytes.usedBytes;
    oldest.release();

    expect([exceeding, most]).toEqual(['ok', 36 * MIB]);
    expect(await waiting[1]).toBe('ok');
    expect([second.bytes, third.bytes, bytes.usedBytes]).toEqual([16 * MIB, 8 * MIB, 24 * MIB]);
    second.release();
    expect(await waiting[0]).toBe('ok');
    expect(bytes.usedBytes).toBe(16 * MIB);
  });

  it('resumes bodies that wait for room up to the first one without it, in order of age', async () => {
    const bytes = memory();
    const [oldest, second, third] = full(bytes);
    const youngest = begun(bytes, MIB);
    const order: string[] = [];
    const waiting = [
      Promise.resolve(youngest.grow(MIB)).then(() => order.push('youngest')),
      Promise.resolve(third.grow(12 * MIB)).then(() => order.push('third')),
    ];

    second.release();
    const used = [bytes.usedBytes];
    oldest.release();
    used.push(bytes.usedBytes);
    await Promise.all(waiting);

    expect(used).toEqual([16 * MIB, 21 * MIB]);
    expect(order).toEqual(['third', 'youngest']);
  });

  it('refuses a body that has waited for room too long, and charges nothing for it', async () => {
    const bytes = memory({ waitMs: 1 });
    const [, second] = full(bytes);

    expect(await second.grow(MIB)).toBe('unavailable');
    expect(bytes.usedBytes).toBe(24 * MIB);
  });

  it('ends the wait for room of a body that is released, and of one that loses its slot', async () => {
    let nowMs = 0;
    const bytes = memory({ maxBytes: MIB, maxLargeOfNetwork: 3 }, () => nowMs);
    begun(bytes, MIB).growNow(700 * KIB);
    const [, released, losing] = [begun(bytes, MIB, 'a'), begun(bytes, MIB, 'a'), begun(bytes, MIB, 'a')];
    const waiting = [released.grow(100 * KIB), losing.grow(100 * KIB)] as const;

    nowMs = 120_000;
    begun(bytes, 0, 'b').growNow(65 * KIB);
    released.release();

    expect([await waiting[0], await waiting[1]]).toEqual(['unavailable', 'unavailable']);
    expect(bytes.usedBytes).toBe(765 * KIB);
  });

  it('resumes a body that becomes the oldest because another one loses its slot', async () => {
    let nowMs = 0;
    const bytes = memory({ maxBytes: MIB, maxLargeOfNetwork: 3 }, () => nowMs);
    begun(bytes, MIB, 'a').growNow(700 * KIB);
    nowMs = 1;
    const waiting = begun(bytes, MIB).grow(100 * KIB);
    for (let count = 0; count < 2; count += 1) begun(bytes, MIB, 'a');

    nowMs = 120_000;
    begun(bytes, 0, 'b').growNow(65 * KIB);

    expect(await waiting).toBe('ok');
    expect(bytes.usedBytes).toBe(800 * KIB);
  });
});
