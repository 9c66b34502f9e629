import fc from 'fast-check';
import { newScrubBudget, scrubEvent } from './scrub-event.ts';

const text = (length: number): string => 'a'.repeat(length);

/** Texts that spend the last character of any budget of 1 MiB. */
const tooMany = [
  ...Array.from({ length: 16 }, () => text(2 ** 16)),
  ...Array.from({ length: 16 }, (_, at) => text(2 ** (15 - at))),
];
const failing = (stacktrace: object): object => ({
  exception: { values: [{ stacktrace, type: 'CartError', value: 'cart is empty' }] },
  release: 'shop@1.4.2',
  user: { email: 'ann@example.org' },
  transaction: 'GET /cart',
});
const frame = { filename: 'cart.ts', lineno: 42 };

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

describe('the order in which an event is scrubbed', () => {
  it.each([
    ['tags of 1 MiB', { extra: tooMany, tags: tooMany.map((value) => ['plan', value]), ...failing({}) }],
    ['variables of 1 MiB', failing({ frames: [{ vars: { tooMany }, ...frame }] })],
    ['a body of 1 MiB', { request: { data: { tooMany } }, ...failing({}) }],
    [
      '10,000 members',
      { ...Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, 1])), ...failing({}) },
    ],
  ])('keeps the title, release, user and transaction of an event with %s', (_, event) => {
    expect(scrubEvent(event)).toMatchObject({
      ...failing({}),
      exception: { values: [{ type: 'CartError', value: 'cart is empty' }] },
    });
  });

  it('keeps the newest frames and breadcrumbs', () => {
    const list = Array.from({ length: 90 }, (_, at) => ({ at, text: text(15_000) }));

    const scrubbed = scrubEvent({ breadcrumbs: { values: list } });

    expect(scrubbed).toMatchObject({
      breadcrumbs: {
        values: list.map(({ at, text: whole }) => ({ at, text: at < 21 ? '[Truncated]' : whole })),
      },
    });
  });

  it('scrubs JSON in a string as a whole', () => {
    const message = '{"data":{"session":{"id":"abc"}}}';

    expect(scrubEvent({ message })).toEqual({ message: '{"data":{"session":"[Filtered]"}}' });
  });

  it('keeps the stack of an event with an extra of 1 MiB', () => {
    const exception = { values: [{ stacktrace: { frames: [frame] } }] };

    expect(scrubEvent({ extra: { tooMany }, exception })).toMatchObject({ exception });
  });

  it('has no effect on an event within the limits', () => {
    const key = fc.constantFrom(
      'exception',
      'tags',
      'values',
      'stacktrace',
      'frames',
      'vars',
      'data',
      'password',
    );
    const values = [fc.string(), fc.integer(), fc.boolean(), fc.json()];

    fc.assert(
      fc.property(fc.object({ key, values, maxDepth: 5 }), (event) => {
        const members = Object.entries(event).map(
          ([name, value]) => [name, scrubEvent({ [name]: value })] as const,
        );

        expect(scrubEvent(event)).toEqual(Object.assign({}, ...members.map(([, scrubbed]) => scrubbed)));
      }),
    );
  });
});
