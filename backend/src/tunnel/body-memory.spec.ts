import { BodyMemory, BufferCollector } from './body-memory.ts';

const MIB = 2 ** 20;

describe('BodyMemory', () => {
  const memory = (limits: Partial<ConstructorParameters<typeof BodyMemory>[0]> = {}) =>
    new BodyMemory({ maxBytes: 4 * MIB, maxLarge: 2, waitMs: 10_000, maxWaiting: 2, ...limits });

  it('reserves what fits and not a byte more', () => {
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

  it('gives back once, however often it ends', () => {
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

  it('takes only so many large bodies at once, whatever room there is', () => {
    const bytes = memory({ maxBytes: 100 * MIB });
    const [first, second, third] = [bytes.reserve(), bytes.reserve(), bytes.reserve()];
    first.growTo(MIB + 1);
    second.growTo(2 * MIB);

    expect(third.growTo(MIB)).toBe(true);
    expect(third.growTo(MIB + 1)).toBe(false);
    first.release();
    expect(third.growTo(MIB + 1)).toBe(true);
  });

  it('takes a body larger than everything when it is alone', () => {
    const bytes = memory();
    const alone = bytes.reserve();

    expect(alone.growTo(5 * MIB)).toBe(true);
    expect(bytes.reserve().growTo(1)).toBe(false);
  });

  it('serves those who wait in their order, and small ones between them', async () => {
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

  it('lets only so many wait', async () => {
    const bytes = memory({ maxWaiting: 1 });
    const holder = bytes.reserve();
    holder.growTo(4 * MIB);

    const first = bytes.reserve().begin(MIB);
    const second = await bytes.reserve().begin(MIB);
    holder.release();

    expect([await first, second]).toEqual([true, false]);
  });

  it('tells who waits too long that there is no room, and reserves nothing for it', async () => {
    const bytes = memory({ waitMs: 1 });
    const holder = bytes.reserve();
    holder.growTo(4 * MIB);

    expect(await bytes.reserve().begin(MIB)).toBe(false);
    holder.release();

    expect(bytes.usedBytes).toBe(0);
  });
});

/** Buffers of which all but some are done with. */
class Heap {
  usedMiB = 0;
  liveMiB = 0;
  checks = 0;
  collections = 0;

  usedBytes = (): number => {
    this.checks += 1;
    return this.usedMiB * MIB;
  };

  collect = (): void => {
    this.collections += 1;
    this.usedMiB = this.liveMiB;
  };
}

describe('BufferCollector', () => {
  let heap: Heap;
  let garbage: BufferCollector;

  beforeEach(() => {
    heap = new Heap();
    garbage = new BufferCollector(48 * MIB, heap);
  });

  function cameMiB(mib: number): void {
    for (let one = 0; one < mib; one += 1) {
      heap.usedMiB += 1;
      garbage.count(MIB);
    }
  }

  it('leaves V8 alone below the limit', () => {
    cameMiB(79);
    expect(heap).toMatchObject({ collections: 0, usedMiB: 79 });
  });

  it('collects above it, whatever comes', () => {
    cameMiB(1_000);
    expect(heap.collections).toBe(12);
    expect(heap.usedMiB).toBeLessThanOrEqual(88);
  });

  it('checks once in 8 MiB', () => {
    cameMiB(64);
    expect(heap.checks).toBe(8);
  });

  it('does not collect again and again what is in use', () => {
    heap.liveMiB = 100;
    heap.usedMiB = 100;
    cameMiB(8);
    expect(heap.collections).toBe(1);
    cameMiB(24);
    expect(heap.collections).toBe(1);
    cameMiB(8);
    expect(heap.collections).toBe(2);
  });

  it('forgets what was in use once that is gone', () => {
    heap.liveMiB = 300;
    heap.usedMiB = 300;
    cameMiB(8);
    heap.usedMiB = 10;
    heap.liveMiB = 0;
    cameMiB(8);
    cameMiB(64);
    expect(heap).toMatchObject({ collections: 2, usedMiB: 0 });
  });
});
