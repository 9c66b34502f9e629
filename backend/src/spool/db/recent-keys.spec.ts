import fc from 'fast-check';
import { fingerprintOf, RecentKeys } from './recent-keys.ts';

/** Few keys, so that the same one is added and dropped often. */
const commands = fc.array(
  fc.oneof(
    fc.record({ add: fc.nat({ max: 3_000 }) }),
    fc.record({ add: fc.nat({ max: 40 }) }),
    fc.record({ drop: fc.nat({ max: 60 }) }),
  ),
  { minLength: 1, maxLength: 4_000, size: 'max' },
);

it('contains the same keys as a Set with the same commands', () => {
  fc.assert(
    fc.property(commands, (run) => {
      const model = new Set<string>();
      const keys = new RecentKeys();
      // One assertion a run: `expect` takes longer than a command.
      const faults: string[] = [];
      for (const command of run) {
        const key = 'add' in command ? String(command.add) : 'none';
        if (keys.has(fingerprintOf(key)) !== model.has(key)) faults.push(`has ${key}`);
        if ('drop' in command) {
          keys.drop(command.drop);
          for (const old of [...model].slice(0, command.drop)) model.delete(old);
        } else if (!model.has(key)) {
          keys.add(fingerprintOf(key));
          model.add(key);
        }
        if (keys.size !== model.size) faults.push(`size ${keys.size} for ${model.size}`);
      }
      for (const key of model) if (!keys.has(fingerprintOf(key))) faults.push(`lacks ${key}`);

      expect(faults).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

it.each(['apart', 'in one slot of the table'])(
  'finds its keys after growth and wrap-around: keys %s',
  (where) => {
    const print = (value: number) =>
      where === 'apart' ? fingerprintOf(String(value)) : Uint32Array.from([value % 3, value, 0, 0]);
    const count = 2_500;
    const keys = new RecentKeys();
    const known = () => Array.from({ length: 2 * count }, (_, value) => keys.has(print(value)));
    // The ring then grows while its oldest key is in the middle of it.
    for (let value = 0; value < 700; value += 1) keys.add(print(3 * count + value));
    keys.drop(700);
    for (let value = 0; value < count; value += 1) keys.add(print(value));
    const grown = known();
    for (let value = count; value < 2 * count; value += 1) {
      keys.add(print(value));
      keys.drop(1);
    }

    expect(grown.indexOf(false)).toBe(count);
    expect(keys.size).toBe(count);
    expect(known().indexOf(true)).toBe(count);
    expect(known().slice(count)).not.toContain(false);
  },
);
