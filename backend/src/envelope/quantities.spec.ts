import { quantitiesOf } from './quantities.ts';

function quantities(text: string, spans?: 'without spans') {
  return quantitiesOf(Buffer.from(text), spans);
}

describe('quantitiesOf', () => {
  it('counts each item once, or by its item_count', () => {
    expect(quantities('{"type":"event"}\n{}\n{"type":"log","item_count":3}\n{"items":[1,2,3]}')).toEqual([
      { category: 'error', quantity: 1 },
      { category: 'log_item', quantity: 3 },
    ]);
  });

  it('limits a count to the bytes of the payload', () => {
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
    ['it must not', '{"type":"transaction"}\n{"spans":[{},{}]}', 'without spans'],
    ['it is large', `{"type":"transaction"}\n{"spans":[{}],"x":"${'x'.repeat(70_000)}"}`, undefined],
    ['it is no JSON', '{"type":"transaction"}\n{', undefined],
  ] as const)('does not parse a transaction if %s', (_why, text, spans) => {
    expect(quantities(text, spans)).toContainEqual({ category: 'span', quantity: 1 });
  });

  it('leaves out reports, unknown types and bytes that cannot be scanned', () => {
    expect(quantities('{"type":"client_report"}\n{}\n{"type":"new"}\n{}')).toEqual([]);
    expect(quantities('nothing')).toEqual([]);
  });
});
