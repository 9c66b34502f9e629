import { type EnvelopeRow, pack, unpack } from './packed-envelopes.ts';

function row(id: number, header: string, items: string): EnvelopeRow {
  return {
    id,
    project: 'https://key@errata.invalid/1',
    source: 'own',
    class: 3,
    lifetime: 'other',
    receivedAtMs: 1_700_000_000_123,
    monotonicAtMs: id === 1 ? 5 : null,
    eventId: id === 1 ? 'abc' : null,
    hasMadeId: id === 1,
    sender: '{"address":"é"}',
    header: Buffer.from(header),
    stored: Buffer.from(items),
    isGzip: id === 1,
    itemsHash: id === 1 ? 'é' : null,
    pending: 2,
  };
}

function textOf({ header, stored, ...rest }: EnvelopeRow) {
  return { ...rest, header: Buffer.from(header).toString(), stored: Buffer.from(stored).toString() };
}

describe('packed envelopes', () => {
  it('are unchanged after unpacking', () => {
    const rows = [row(1, '{}', 'one'), row(2, '', ''), row(2 ** 40, '{"a":1}', 'three é')];

    expect(unpack(pack(rows)).map(textOf)).toEqual(rows.map(textOf));
  });

  it('share no memory with the rows that were packed', () => {
    const [envelope] = [row(1, '{}', 'one')];

    const packed = pack([envelope]);
    envelope.stored.fill(0);

    expect(unpack(packed).map(textOf)).toMatchObject([{ stored: 'one' }]);
  });

  it('come from the tunnel, if a later version wrote another source', () => {
    const later = { ...row(1, '{}', 'one'), source: 'later' as EnvelopeRow['source'] };

    expect(unpack(pack([later]))).toMatchObject([{ source: 'tunnel' }]);
  });

  it('can be an empty list', () => {
    expect(unpack(pack([]))).toEqual([]);
  });
});
