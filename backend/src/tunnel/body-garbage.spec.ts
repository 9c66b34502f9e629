import { BufferCollector } from './body-garbage.ts';

const MIB = 2 ** 20;

/** Buffers of which all but some are done with. */
class Heap {
  usedMiB = 0;
  liveMiB = 0;
  looks = 0;
  collections = 0;

  usedBytes = (): number => {
    this.looks += 1;
    return this.usedMiB * MIB;
  };

  collect = (): void => {
    this.collections += 1;
    this.usedMiB = this.liveMiB;
  };
}

describe('BodyGarbage', () => {
  let heap: Heap;
  let garbage: BufferCollector;

  beforeEach(() => {
    heap = new Heap();
    garbage = new BufferCollector(48 * MIB, heap);
  });

  function cameMiB(mib: number): void {
    for (let one = 0; one < mib; one += 1) {
      heap.usedMiB += 1;
      garbage.came(MIB);
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

  it('looks once in 8 MiB', () => {
    cameMiB(64);
    expect(heap.looks).toBe(8);
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
