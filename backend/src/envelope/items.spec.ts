import fc from 'fast-check';
import { anyItem, lines, writeItems } from './envelope.fixture.ts';
import { type Item, type ItemsScan, MAX_ITEM_HEADER_BYTES, MAX_ITEMS, scanItems } from './items.ts';

function itemsOf(body: Uint8Array): readonly Item[] {
  const scan = scanItems(body, 0);
  if (scan.outcome !== 'ok') throw new Error(scan.detail);
  return scan.items;
}

function payloadsOf(body: Buffer): readonly string[] {
  return itemsOf(body).map(({ payloadStart, payloadEnd }) =>
    body.toString('latin1', payloadStart, payloadEnd),
  );
}

function detailOf(...text: readonly string[]): string | undefined {
  const scan: ItemsScan = scanItems(lines(...text), 0);
  return scan.outcome === 'ok' ? undefined : scan.detail;
}

describe('scanItems', () => {
  it('E3: finds no items in an empty envelope', () => {
    expect(scanItems(Buffer.from('{}'), 2)).toEqual({ outcome: 'ok', items: [] });
    expect(scanItems(Buffer.from('{}\n'), 3)).toEqual({ outcome: 'ok', items: [] });
  });

  it('E16: returns the offsets of each part of an item', () => {
    const body = lines('{}', '{"type":"log","item_count":3,"length":5}', 'hello', '{"type":"event"}', 'x');

    const scan = scanItems(body, 3);

    expect(scan).toEqual({
      outcome: 'ok',
      items: [
        {
          type: 'log',
          headerStart: 3,
          payloadStart: 44,
          payloadEnd: 49,
          end: 50,
          itemCount: 3,
          attachmentType: null,
        },
        {
          type: 'event',
          headerStart: 50,
          payloadStart: 67,
          payloadEnd: 68,
          end: 68,
          itemCount: null,
          attachmentType: null,
        },
      ],
    });
  });

  it.each([
    ['a newline', 'helloworld\n', 'helloworld'],
    ['the end', 'helloworld', 'helloworld'],
    ['a newline, with its carriage return (E2)', 'helloworld\r\n', 'helloworld\r'],
    ['the end, being empty', '', ''],
  ])('E2, E4: without a length the payload runs to %s', (_, rest, payload) => {
    expect(payloadsOf(lines('{"type":"attachment"}', rest))).toEqual([payload]);
  });

  it('E4: reads an item header at the very end as an item without payload', () => {
    expect(payloadsOf(lines('{"type":"event"}'))).toEqual(['']);
  });

  it('E5: with a length the payload may hold newlines and any bytes', () => {
    const payload = Buffer.from([0x0a, 0x00, 0xff, 0x0d, 0x0a]);
    const body = Buffer.concat([
      Buffer.from('{"type":"attachment","length":5}\n'),
      payload,
      Buffer.from('\n'),
    ]);

    expect(payloadsOf(body)).toEqual([payload.toString('latin1')]);
  });

  it('E5: accepts two empty attachments', () => {
    const header = '{"type":"attachment","length":0}';

    expect(payloadsOf(lines(header, '', header, '', ''))).toEqual(['', '']);
    expect(payloadsOf(lines(header, '', header))).toEqual(['', '']);
  });

  it.each([
    ['longer than the rest', '100', 'length runs past the end'],
    ['one byte too long', '3', 'length runs past the end'],
    ['too short', '1', 'no newline after the payload'],
    ['4 GiB', '4294967295', 'length runs past the end'],
    ['beyond 64 bits', '18446744073709551616', 'length runs past the end'],
    ['beyond all numbers', '9'.repeat(400), 'length runs past the end'],
    ['negative', '-1', 'length is not a whole number'],
    ['minus zero', '-0', 'length is not a whole number'],
    ['a text', '"2"', 'length is not a whole number'],
    ['true', 'true', 'length is not a whole number'],
    ['a list', '[2]', 'length is not a whole number'],
  ])('E5: refuses a length that is %s', (_, length, detail) => {
    expect(detailOf(`{"type":"event","length":${length}}`, '{}')).toBe(`item 1: ${detail}`);
  });

  it.each(['2.0', '2e0', '20e-1'])('E6: rejects the length %s, a number written as a fraction', (length) => {
    expect(detailOf(`{"type":"event","length":${length}}`, '{}')).toBe(
      'item 1: length is not a whole number',
    );
  });

  it('E6: reads a length of null as none', () => {
    expect(payloadsOf(lines('{"type":"event","length":null}', '{}'))).toEqual(['{}']);
  });

  it('E12: reads an escaped length', () => {
    expect(payloadsOf(lines('{"type":"event","l\\u0065ngth":3}', 'a\nb'))).toEqual(['a\nb']);
  });

  it('E7: accepts unknown types and attributes', () => {
    const items = itemsOf(lines('{"type":"from_the_future","x":{"y":[1]}}', 'x'));

    expect(items).toMatchObject([{ type: 'from_the_future' }]);
  });

  it('returns the kind of an attachment', () => {
    const items = itemsOf(lines('{"type":"attachment","attachment_type":"event.minidump"}', 'x'));

    expect(items).toMatchObject([{ attachmentType: 'event.minidump' }]);
  });

  it.each(['-1', '1.5', '"3"', 'null', '1e300'])('passes over the item count %s', (count) => {
    expect(itemsOf(lines(`{"type":"log","item_count":${count}}`, 'x'))).toMatchObject([{ itemCount: null }]);
  });

  it.each([
    ['no type', '{"length":2}', 'header has no type'],
    ['a type that is no text', '{"type":1}', 'header has no type'],
    ['a type of null', '{"type":null}', 'header has no type'],
    ['a type only in __proto__', '{"__proto__":{"type":"event"}}', 'header has no type'],
    ['no JSON', '{type:"event"}', 'header is not valid JSON'],
    ['a payload in its place', 'hello', 'header is not a JSON object'],
    ['a list', '[1]', 'header is not a JSON object'],
    ['a carriage return after it (E2)', '{"type":"event"}\r', 'header is not a JSON object'],
    ['a blank before it', ' {"type":"event"}', 'header is not a JSON object'],
    ['two lengths (E11)', '{"type":"event","length":2,"length":1}', 'header has a key twice'],
    [
      '33 levels (E10)',
      `{"type":"event","x":${'['.repeat(32)}${']'.repeat(32)}}`,
      'header is nested too deeply',
    ],
  ])('refuses an item header with %s', (_, header, detail) => {
    expect(detailOf(header, '{}')).toBe(`item 1: ${detail}`);
  });

  it('E13: rejects an item header that is no UTF-8', () => {
    const body = Buffer.concat([Buffer.from('{"type":"'), Buffer.from([0xff]), Buffer.from('"}\n{}')]);

    expect(scanItems(body, 0)).toEqual({ outcome: 'malformed', detail: 'item 1: header is not valid JSON' });
  });

  it('S2: accepts an item header of 4 KiB and rejects one byte more', () => {
    const header = (bytes: number) => `{"type":"event","x":"${'a'.repeat(bytes - 23)}"}`;

    expect(header(MAX_ITEM_HEADER_BYTES)).toHaveLength(MAX_ITEM_HEADER_BYTES);
    expect(detailOf(header(MAX_ITEM_HEADER_BYTES), '{}')).toBeUndefined();
    expect(detailOf(header(MAX_ITEM_HEADER_BYTES + 1), '{}')).toBe('item 1: header is longer than 4 KiB');
  });

  it('names the item that is malformed', () => {
    expect(detailOf('{"type":"event"}', '{}', '{"type":"event","length":9}', '{}')).toBe(
      'item 2: length runs past the end',
    );
  });

  it('passes over blank lines before, between and after items', () => {
    expect(
      payloadsOf(lines('', '{"type":"a","length":1}', 'x', '', '', '{"type":"b"}', 'y', '', '')),
    ).toEqual(['x', 'y']);
  });

  it('E18: accepts 1,000 items and no more', () => {
    const text = '{"type":"session","length":2}\n{}\n';

    expect(itemsOf(Buffer.from(text.repeat(MAX_ITEMS)))).toHaveLength(MAX_ITEMS);
    expect(scanItems(Buffer.from(text.repeat(MAX_ITEMS + 1)), 0)).toEqual({
      outcome: 'too_large',
      detail: 'more than 1000 items',
    });
  });

  it('E18: stops at the limit, for any bytes after it', () => {
    expect(scanItems(Buffer.from(`${'{"type":"x"}\n\n'.repeat(MAX_ITEMS)}rubbish`), 0).outcome).toBe(
      'too_large',
    );
  });

  it('E16: finds again the bytes of any items written one after the other', () => {
    fc.assert(
      fc.property(fc.array(anyItem, { maxLength: 12 }), (samples) => {
        const body = writeItems(samples);

        const found = itemsOf(body).map(({ type, payloadStart, payloadEnd }) => ({
          type,
          payload: new Uint8Array(body.subarray(payloadStart, payloadEnd)),
        }));

        expect(found).toEqual(
          samples.map(({ type, payload }) => ({ type, payload: new Uint8Array(payload) })),
        );
      }),
    );
  });

  it('E16: leaves no byte out between the items', () => {
    fc.assert(
      fc.property(fc.array(anyItem, { minLength: 1, maxLength: 12 }), (samples) => {
        const body = writeItems(samples);

        const items = itemsOf(body);

        expect(items.map(({ headerStart }) => headerStart)).toEqual([
          0,
          ...items.map(({ end }) => end).slice(0, -1),
        ]);
        expect(items.at(-1)?.end).toBe(body.length);
      }),
    );
  });

  it('S3: never throws and never leaves the bytes, however an envelope is mutated', () => {
    const mutation = fc.record({
      at: fc.nat(),
      removed: fc.nat({ max: 4 }),
      added: fc.uint8Array({ maxLength: 4 }),
    });
    fc.assert(
      fc.property(
        fc.array(anyItem, { maxLength: 5 }),
        fc.array(mutation, { maxLength: 6 }),
        (samples, mutations) => {
          const mutated = mutations.reduce((body, { at, removed, added }) => {
            const from = at % (body.length + 1);
            return Buffer.concat([body.subarray(0, from), added, body.subarray(from + removed)]);
          }, writeItems(samples));

          const scan = scanItems(mutated, 0);

          const items = scan.outcome === 'ok' ? scan.items : [];
          for (const { headerStart, payloadStart, payloadEnd, end } of items) {
            expect([0, headerStart, payloadStart, payloadEnd, end, mutated.length]).toEqual(
              [0, headerStart, payloadStart, payloadEnd, end, mutated.length].toSorted((a, b) => a - b),
            );
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
