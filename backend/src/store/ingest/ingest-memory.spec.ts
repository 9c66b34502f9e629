import { IngestMemory } from './ingest-memory.ts';
import { Recent } from './recent-set.ts';

describe('the memory of ingest', () => {
  it('knows what a transaction has learned once that is committed, and not before', () => {
    const memory = new IngestMemory();
    const learned = memory.begin();
    learned.note(memory.facts, 'fact', 1);

    const before = memory.facts.get('fact');
    learned.keep();

    expect([before, memory.facts.get('fact')]).toEqual([undefined, 1]);
  });

  it('does not take back what was forgotten while a transaction was under way', () => {
    const memory = new IngestMemory();
    const learned = memory.begin();
    learned.note(memory.facts, 'fact', 1);

    memory.forget();
    learned.keep();

    expect(memory.facts.get('fact')).toBeUndefined();
  });
});

describe('what was told of last', () => {
  it('stays within its bound, and keeps what is asked for', () => {
    const recent = new Recent<number>(100);
    recent.set('asked for', -1);

    for (let number = 0; number < 10_000; number += 1) {
      recent.set(String(number), number);
      recent.get('asked for');
    }

    const known = Array.from({ length: 10_000 }, (_, number) => recent.get(String(number))).filter(
      (value) => value !== undefined,
    );
    expect(recent.get('asked for')).toBe(-1);
    expect(known.length).toBeLessThanOrEqual(100);
    expect(known.length).toBeGreaterThanOrEqual(49);
  });
});
