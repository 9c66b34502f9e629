import { BufferCollector } from './buffer-collector.ts';

const MIB = 2 ** 20;

/** A heap of buffers; all but `liveMiB` of them are garbage. */
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
  let collector: BufferCollector;

  beforeEach(() => {
    heap = new Heap();
    collector = new BufferCollector(48 * MIB, heap);
  });

  function receiveMiB(mib: number): void {
    for (let one = 0; one < mib; one += 1) {
      heap.usedMiB += 1;
      collector.count(MIB);
    }
  }

  it('leaves V8 alone below the limit', () => {
    receiveMiB(79);
    expect(heap).toMatchObject({ collections: 0, usedMiB: 79 });
  });

  it('keeps the heap below the limit during a flood', () => {
    receiveMiB(1_000);
    expect(heap.collections).toBe(12);
    expect(heap.usedMiB).toBeLessThanOrEqual(88);
  });

  it('reads the heap once in 8 MiB', () => {
    receiveMiB(64);
    expect(heap.checks).toBe(8);
  });

  it('does not repeat a collection for buffers in use', () => {
    heap.liveMiB = 100;
    heap.usedMiB = 100;
    receiveMiB(8);
    expect(heap.collections).toBe(1);
    receiveMiB(24);
    expect(heap.collections).toBe(1);
    receiveMiB(8);
    expect(heap.collections).toBe(2);
  });

  it('lowers its threshold when buffers in use become garbage', () => {
    heap.liveMiB = 300;
    heap.usedMiB = 300;
    receiveMiB(8);
    heap.usedMiB = 10;
    heap.liveMiB = 0;
    receiveMiB(8);
    receiveMiB(64);
    expect(heap).toMatchObject({ collections: 2, usedMiB: 0 });
  });
});
