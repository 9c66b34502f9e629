import type { BodyMemory } from './body-memory.ts';
import { begun, KIB, memory, MIB } from './body-memory.fixture.ts';

describe('BodyMemory', () => {
  /** Reads small bodies of 64 KiB until one is refused, and returns their bytes. */
  function fillWithSmall(bytes: BodyMemory, network: (index: number) => string | null = () => null): number {
    let count = 0;
    while (begun(bytes, 0, network(count)).grow(64 * KIB) === 'ok') count += 1;
    return count * 64 * KIB;
  }

  it('charges bytes that have arrived, not those that were announced', () => {
    const bytes = memory();
    const body = begun(bytes, 20 * MIB);
    begun(bytes, 12 * MIB);

    expect(bytes.usedBytes).toBe(0);
    body.growNow(100);
    body.growNow(200);
    expect(bytes.usedBytes).toBe(300);
  });

  it('releases its bytes once, even if it is released twice', () => {
    const bytes = memory();
    const one = begun(bytes, 2 * MIB);
    one.growNow(2 * MIB);
    begun(bytes, 0).growNow(100);

    one.release();
    one.release();

    expect(bytes.usedBytes).toBe(100);
    expect(bytes.large).toBe(0);
    expect(one.grow(1)).toBe('unavailable');
  });

  it('keeps a quarter for small bodies, which larger ones cannot use', () => {
    const bytes = memory();
    const [one, another, third] = [begun(bytes, 20 * MIB), begun(bytes, 20 * MIB), begun(bytes, 20 * MIB)];
    one.growNow(20 * MIB);

    expect(another.grow(4 * MIB + 1)).toBe('ok');
    expect(third.growNow(1)).toBe('unavailable');
    expect(fillWithSmall(bytes)).toBe(8 * MIB);
  });

  it('lets small bodies use what larger ones leave', () => {
    const bytes = memory();
    const [one, another] = [begun(bytes, 20 * MIB), begun(bytes, 20 * MIB)];
    one.growNow(2 * MIB);

    expect(fillWithSmall(bytes)).toBe(30 * MIB);
    expect([one.growNow(1), another.growNow(1)]).toEqual(['ok', 'unavailable']);
  });

  it('lets a single larger body exceed the part of the larger ones', () => {
    const bytes = memory({ maxBytes: MIB });
    const single = begun(bytes, 20 * MIB);

    expect(single.grow(20 * MIB)).toBe('ok');
    expect(begun(bytes, 0).grow(64 * KIB)).toBe('ok');
    expect(begun(bytes, MIB).growNow(1)).toBe('unavailable');
  });

  it('lets larger bodies wait for a slot, in order', async () => {
    const bytes = memory({ maxLarge: 1 });
    const holder = begun(bytes, MIB);
    const order: string[] = [];
    const queue = ['first', 'second'].map(async (name) => {
      const body = bytes.reserve(null);
      expect(await body.begin(MIB)).toBe('ok');
      order.push(name);
      body.release();
    });

    expect(bytes.large).toBe(1);
    holder.release();
    await Promise.all(queue);

    expect(order).toEqual(['first', 'second']);
  });

  it('limits the number of waiting bodies', async () => {
    const bytes = memory({ maxLarge: 1, maxWaiting: 1 });
    const holder = begun(bytes, MIB);

    const first = bytes.reserve(null).begin(MIB);
    const second = bytes.reserve(null).begin(MIB);
    holder.release();

    expect([await first, second]).toEqual(['ok', 'unavailable']);
  });

  it('refuses a body that has waited too long', async () => {
    const bytes = memory({ maxLarge: 1, waitMs: 1 });
    begun(bytes, MIB);

    expect(await bytes.reserve(null).begin(MIB)).toBe('unavailable');
    expect(bytes.large).toBe(1);
  });

  it('gives a small body that becomes larger a free slot, and no other', () => {
    const bytes = memory({ maxLarge: 1 });
    const [first, second] = [begun(bytes, 0), begun(bytes, 0)];
    first.growNow(64 * KIB);
    second.growNow(64 * KIB);

    expect([first.grow(1), second.grow(1)]).toEqual(['ok', 'unavailable']);
    expect(bytes.large).toBe(1);
  });

  it('limits the larger bodies of one network, those that wait included', async () => {
    const bytes = memory({ maxLarge: 1 });
    const own = begun(bytes, MIB, 'a');
    const [waiting, other] = [bytes.reserve('a'), bytes.reserve('b')];
    const admissions = [waiting.begin(MIB), bytes.reserve('a').begin(MIB), other.begin(MIB)];

    expect(admissions[1]).toBe('rate_limited');
    own.release();
    expect(await admissions[0]).toBe('ok');
    waiting.release();
    expect(await admissions[2]).toBe('ok');
  });

  /** Takes all slots of these networks. Returns which of the bodies have lost theirs, and can no longer grow. */
  function taken(bytes: BodyMemory, networks: readonly (string | null)[]): () => readonly string[] {
    const bodies = networks.map(
      (network, index) => [`${network} ${index}`, begun(bytes, MIB, network)] as const,
    );
    return () => bodies.filter(([, body]) => body.grow(1) === 'unavailable').map(([name]) => name);
  }

  /** Returns the admission of a small body that becomes larger, which cannot wait. */
  const growing = (bytes: BodyMemory, network: string | null) => begun(bytes, 0, network).grow(65 * KIB);

  it('gives a network up to two slots of one that has had more for as long as a body waits', () => {
    let nowMs = 0;
    const bytes = memory({ maxLarge: 6, maxLargeOfNetwork: 6 }, () => nowMs);
    const lost = taken(bytes, ['a', 'a', 'a', 'a', 'a', 'a']);

    nowMs = 119_999;
    const early = growing(bytes, 'b');
    nowMs = 120_000;
    const admissions = ['b', 'b', 'b', null, 'c', 'd'].map((network) => growing(bytes, network));

    expect(early).toBe('unavailable');
    expect(admissions).toEqual(['ok', 'ok', 'unavailable', 'ok', 'ok', 'unavailable']);
    expect(lost()).toEqual(['a 2', 'a 3', 'a 4', 'a 5']);
    expect(bytes.large).toBe(6);
  });

  it('takes the slot of no body without a network, for another network', () => {
    let nowMs = 0;
    const bytes = memory({ maxLarge: 6, maxLargeOfNetwork: 4 }, () => nowMs);
    const lost = taken(bytes, [null, null, null, 'a', 'a', 'a']);

    nowMs = 120_000;

    expect([begun(bytes, MIB, 'b').grow(MIB), growing(bytes, 'c')]).toEqual(['ok', 'unavailable']);
    expect(lost()).toEqual(['a 5']);
  });

  it('gives a body that has waited too long the slot of a network with more than two', async () => {
    let nowMs = 0;
    const bytes = memory({ maxLargeOfNetwork: 4, waitMs: 1 }, () => nowMs);
    const lost = taken(bytes, ['a', 'a', 'a', 'a']);

    const admission = bytes.reserve('b').begin(MIB);
    nowMs = 1;

    expect(await admission).toBe('ok');
    expect(lost()).toEqual(['a 3']);
  });

  it('ends the wait of a released body, which claims no slot and leaves its place', async () => {
    let nowMs = 0;
    const bytes = memory({ maxLargeOfNetwork: 4, waitMs: 1, maxWaiting: 1 }, () => nowMs);
    const lost = taken(bytes, ['a', 'a', 'a', 'a']);
    const gone = bytes.reserve('b');
    const first = Promise.resolve(gone.begin(MIB));

    gone.release();
    const second = Promise.resolve(bytes.reserve('b').begin(MIB));
    nowMs = 1;

    expect(await Promise.all([first, second])).toEqual(['unavailable', 'ok']);
    expect(lost()).toEqual(['a 3']);
  });

  it('limits the bytes of one network to a quarter of either part', () => {
    const bytes = memory();
    const [one, another] = [begun(bytes, 4 * MIB, 'a'), begun(bytes, 4 * MIB, 'a')];
    one.growNow(4 * MIB);

    expect(another.grow(2 * MIB)).toBe('ok');
    expect(another.grow(1)).toBe('rate_limited');
    expect(begun(bytes, 4 * MIB, 'b').grow(4 * MIB)).toBe('ok');
    expect(fillWithSmall(bytes, () => 'a')).toBe(2 * MIB);
    expect(fillWithSmall(bytes, (index) => `c${index % 10}`)).toBe(20 * MIB);
  });

  it('lets the single larger body of a network exceed the share', () => {
    const bytes = memory();

    expect(begun(bytes, 20 * MIB, 'a').grow(20 * MIB)).toBe('ok');
  });

  it('forgets a network without a body', () => {
    const bytes = memory();
    const [one, another] = [begun(bytes, MIB, 'a'), begun(bytes, 0, 'a')];

    one.release();
    expect(bytes.networks).toBe(1);
    another.release();
    expect(bytes.networks).toBe(0);
  });
});
