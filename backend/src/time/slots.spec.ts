import { Slots } from './slots.ts';

describe('Slots', () => {
  it('gives each object a number of its own until it is removed', () => {
    const slots = new Slots<{ readonly name: string }>();
    const [first, second] = [slots.add({ name: 'first' }), slots.add({ name: 'second' })];

    expect(slots.remove(first)).toEqual({ name: 'first' });
    expect(slots.all()).toEqual([{ name: 'second' }]);
    expect(slots.size).toBe(1);
    expect(slots.add({ name: 'third' })).not.toBe(second);
    expect(slots.all()).toHaveLength(2);
  });

  it('removes nothing by a number without an object', () => {
    const slots = new Slots<{ readonly name: string }>();
    const slot = slots.add({ name: 'only' });

    expect([slots.remove(slot + 1), slots.remove(-1)]).toEqual([undefined, undefined]);
    slots.remove(slot);
    expect(slots.remove(slot)).toBeUndefined();
    expect([slots.size, slots.all()]).toEqual([0, []]);
  });

  it('keeps room for no more objects than it held at once', () => {
    const slots = new Slots<{ readonly number: number }>();
    const numbers = new Set<number>();
    for (let number = 0; number < 1_000; number += 1) {
      const held = [slots.add({ number }), slots.add({ number })];
      for (const slot of held) {
        numbers.add(slot);
        slots.remove(slot);
      }
    }

    expect(numbers.size).toBe(2);
  });
});
