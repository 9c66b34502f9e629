import type { BodyMemory, Reservation } from './body-memory.ts';
import { begun, KIB, memory, MIB } from './body-memory.fixture.ts';

describe('BodyMemory without room for a larger body', () => {
  /** Has larger bodies use up their part, and returns them, the oldest first. */
  function full(bytes: BodyMemory): readonly [Reservation, Reservation, Reservation] {
    const bodies = [begun(bytes, 20 * MIB), begun(bytes, 20 * MIB), begun(bytes, 20 * MIB)] as const;
    for (const body of bodies) expect(body.grow(8 * MIB)).toBe('ok');
    return bodies;
  }

  it('lets the first larger body that needs more exceed their part, while others wait for room', async () => {
    const bytes = memory();
    // Older than all, and so slow that it needs nothing.
    begun(bytes, 20 * MIB);
    const [exceeding, second, third] = full(bytes);

    const admissions = [exceeding.grow(6 * MIB), begun(bytes, 0).grow(1), exceeding.grow(6 * MIB)];
    const waiting = [third.grow(8 * MIB), second.grow(8 * MIB)];
    const most = bytes.usedBytes;
    exceeding.release();

    expect([...admissions, most]).toEqual(['ok', 'ok', 'ok', 36 * MIB + 1]);
    expect(await waiting[1]).toBe('ok');
    expect([second.bytes, third.bytes, bytes.large]).toEqual([16 * MIB, 16 * MIB, 3]);
    expect(await waiting[0]).toBe('ok');
  });

  it('resumes bodies that wait for room up to the first one without it, in order of age', async () => {
    const bytes = memory();
    const [oldest, second, third] = full(bytes);
    const youngest = begun(bytes, MIB);
    oldest.growNow(MIB);
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

    expect(used).toEqual([29 * MIB, 21 * MIB]);
    expect(order).toEqual(['third', 'youngest']);
  });

  it('refuses a body that has waited for room too long, and charges nothing for it', async () => {
    const bytes = memory({ waitMs: 1 });
    const [oldest, second] = full(bytes);
    oldest.growNow(MIB);

    expect(await second.grow(MIB)).toBe('unavailable');
    expect(bytes.usedBytes).toBe(25 * MIB);
  });

  it('ends the wait for room of a body that is released, and of one that loses its slot', async () => {
    let nowMs = 0;
    const bytes = memory({ maxBytes: MIB, maxLargeOfNetwork: 3 }, () => nowMs);
    begun(bytes, MIB).growNow(800 * KIB);
    const [, released, losing] = [begun(bytes, MIB, 'a'), begun(bytes, MIB, 'a'), begun(bytes, MIB, 'a')];
    const waiting = [released.grow(100 * KIB), losing.grow(100 * KIB)] as const;

    nowMs = 120_000;
    begun(bytes, 0, 'b').growNow(65 * KIB);
    released.release();

    expect([await waiting[0], await waiting[1]]).toEqual(['unavailable', 'unavailable']);
    expect(bytes.usedBytes).toBe(800 * KIB);
  });

  it('resumes a body when the one that exceeds their part loses its slot', async () => {
    let nowMs = 0;
    const bytes = memory({ maxBytes: MIB, maxLargeOfNetwork: 3 }, () => nowMs);
    begun(bytes, MIB, 'a').growNow(800 * KIB);
    nowMs = 1;
    const waiting = begun(bytes, MIB).grow(100 * KIB);
    for (let count = 0; count < 2; count += 1) begun(bytes, MIB, 'a');

    nowMs = 120_000;
    begun(bytes, 0, 'b').growNow(65 * KIB);

    expect(await waiting).toBe('ok');
    expect(bytes.usedBytes).toBe(900 * KIB);
  });

  it('resumes a body when the others exceed their part, because a small one has become a larger one', async () => {
    const bytes = memory({ maxLarge: 5 });
    full(bytes);
    const [exceeding, small] = [begun(bytes, MIB), begun(bytes, 0)];
    exceeding.growNow(1);
    small.growNow(64 * KIB);
    const waiting = small.grow(1);

    exceeding.release();

    expect(await waiting).toBe('ok');
  });
});
