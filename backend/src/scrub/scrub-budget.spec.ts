import { newScrubBudget, scrubEvent } from './scrub-event.ts';

const text = (length: number): string => 'a'.repeat(length);

describe('the scrub budget of an envelope', () => {
  it('leaves 8 KiB of characters to each further item', () => {
    const budget = newScrubBudget();
    const fits = ['release', '1.0.0', text(2 ** 13 - 12)];
    scrubEvent(
      Array.from({ length: 16 }, () => text(2 ** 16)),
      budget,
    );

    const further = [fits, ['release', '1.0.0', text(2 ** 13 - 11)], fits];
    const kept = further.map((item) => JSON.stringify(scrubEvent(item, budget)) === JSON.stringify(item));

    expect(kept).toEqual([true, false, true]);
  });
});
