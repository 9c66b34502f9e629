import { GenerationCache, IngestCache } from './ingest-cache.ts';

describe('IngestCache', () => {
  it('contains the changes of a transaction after its commit, and not before', () => {
    const cache = new IngestCache();
    const changes = cache.begin();
    changes.add(cache.facts, 'fact', 1);

    const before = cache.facts.get('fact');
    changes.apply();

    expect([before, cache.facts.get('fact')]).toEqual([undefined, 1]);
  });

  it('discards the changes of a transaction during which it was cleared', () => {
    const cache = new IngestCache();
    const changes = cache.begin();
    changes.add(cache.facts, 'fact', 1);

    cache.clear();
    changes.apply();

    expect(cache.facts.get('fact')).toBeUndefined();
  });
});

describe('GenerationCache', () => {
  it('stays within its bound, and keeps the entries that are read', () => {
    const cache = new GenerationCache<number>(100);
    cache.set('read', -1);

    for (let number = 0; number < 10_000; number += 1) {
      cache.set(String(number), number);
      cache.get('read');
    }

    const known = Array.from({ length: 10_000 }, (_, number) => cache.get(String(number))).filter(
      (value) => value !== undefined,
    );
    expect(cache.get('read')).toBe(-1);
    expect(known.length).toBeLessThanOrEqual(100);
    expect(known.length).toBeGreaterThanOrEqual(49);
  });
});
