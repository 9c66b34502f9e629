import { BodyMemory } from './body-memory.ts';

const MIB = 2 ** 20;

describe('BodyMemory', () => {
  const memory = (limits: Partial<ConstructorParameters<typeof BodyMemory>[0]> = {}) =>
    new BodyMemory({ maxBytes: 4 * MIB, maxLarge: 2, waitMs: 10_000, maxWaiting: 2, ...limits });

  it('reserves up to the limit and not a byte more', () => {
    const bytes = memory();
    const first = bytes.reserve();
    const second = bytes.reserve();

    expect(first.growTo(MIB)).toBe(true);
    expect(second.growTo(3 * MIB + 1)).toBe(false);
    expect(second.growTo(3 * MIB)).toBe(true);
    expect(bytes.usedBytes).toBe(4 * MIB);
  });

  it('grows a reservation by the difference', () => {
    const bytes = memory();
    const one = bytes.reserve();

    one.growTo(100);
    one.growTo(50);
    one.growTo(300);

    expect(bytes.usedBytes).toBe(300);
  });

  it('releases its bytes once, even if it is released twice', () => {
    const bytes = memory();
    const one = bytes.reserve();
    const other = bytes.reserve();
    one.growTo(2 * MIB);
    other.growTo(100);

    one.release();
    one.release();

    expect(bytes.usedBytes).toBe(100);
    expect(bytes.large).toBe(0);
    expect(one.growTo(1)).toBe(false);
  });

  it('accepts a limited number of large bodies at once, even with free memory', () => {
    const bytes = memory({ maxBytes: 100 * MIB });
    const [first, second, third] = [bytes.reserve(), bytes.reserve(), bytes.reserve()];
    first.growTo(MIB + 1);
    second.growTo(2 * MIB);

    expect(third.growTo(MIB)).toBe(true);
    expect(third.growTo(MIB + 1)).toBe(false);
    first.release();
    expect(third.growTo(MIB + 1)).toBe(true);
  });

  it('accepts a body larger than the whole limit when it is alone', () => {
    const bytes = memory();
    const alone = bytes.reserve();

    expect(alone.growTo(5 * MIB)).toBe(true);
    expect(bytes.reserve().growTo(1)).toBe(false);
  });

  it('serves waiting bodies in order, and small ones between them', async () => {
    const bytes = memory();
    const holder = bytes.reserve();
    holder.growTo(4 * MIB - 100_000);
    const order: string[] = [];
    const queue = ['first', 'second'].map(async (name) => {
      await bytes.reserve().begin(MIB);
      order.push(name);
    });

    expect(bytes.reserve().begin(64 * 1024)).toBe(true);
    holder.release();
    await Promise.all(queue);

    expect(order).toEqual(['first', 'second']);
  });

  it('limits the number of waiting bodies', async () => {
    const bytes = memory({ maxWaiting: 1 });
    const holder = bytes.reserve();
    holder.growTo(4 * MIB);

    const first = bytes.reserve().begin(MIB);
    const second = await bytes.reserve().begin(MIB);
    holder.release();

    expect([await first, second]).toEqual([true, false]);
  });

  it('resolves to false after the timeout, and reserves nothing', async () => {
    const bytes = memory({ waitMs: 1 });
    const holder = bytes.reserve();
    holder.growTo(4 * MIB);

    expect(await bytes.reserve().begin(MIB)).toBe(false);
    holder.release();

    expect(bytes.usedBytes).toBe(0);
  });
});
