import { quantitiesOf } from './quantities.ts';

function quantities(text: string, spans?: 'without spans') {
  return quantitiesOf(Buffer.from(text), spans);
}

describe('quantitiesOf', () => {
  it('counts each item, and those with a count as often as that says', () => {
    expect(quantities('{"type":"event"}\n{}\n{"type":"log","item_count":3}\n{"items":[1,2,3]}')).toEqual([
      { category: 'error', quantity: 1 },
      { category: 'log_item', quantity: 3 },
    ]);
  });

  it('believes no count that the bytes cannot hold', () => {
    expect(quantities('{"type":"log","item_count":9007199254740991}\n{"items":[]}')).toEqual([
      { category: 'log_item', quantity: 12 },
    ]);
  });

  it('counts the spans of a transaction, and one for itself', () => {
    expect(quantities('{"type":"transaction"}\n{"spans":[{},{}]}')).toEqual([
      { category: 'transaction', quantity: 1 },
      { category: 'span', quantity: 3 },
    ]);
  });

  it.each([
    ['it may not', '{"type":"transaction"}\n{"spans":[{},{}]}', 'without spans'],
    ['it is large', `{"type":"transaction"}\n{"spans":[{}],"x":"${'x'.repeat(70_000)}"}`, undefined],
    ['it is no JSON', '{"type":"transaction"}\n{', undefined],
  ] as const)('does not look into a transaction where %s', (_why, text, spans) => {
    expect(quantities(text, spans)).toContainEqual({ category: 'span', quantity: 1 });
  });

  it('tells nothing of reports, of unknown types and of what cannot be scanned', () => {
    expect(quantities('{"type":"client_report"}\n{}\n{"type":"new"}\n{}')).toEqual([]);
    expect(quantities('nothing')).toEqual([]);
  });
});
