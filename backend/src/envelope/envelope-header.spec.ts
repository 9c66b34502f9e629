import fc from 'fast-check';
import { lines, SAMPLE_DSN, SAMPLE_ID } from './envelope.fixture.ts';
import {
  type EnvelopeHeader,
  MAX_HEADER_BYTES,
  parseEventId,
  readEnvelopeHeader,
} from './envelope-header.ts';

const EMPTY: EnvelopeHeader = { dsn: null, eventId: null, sentAt: null, sdk: null };

function headerOf(line: string): EnvelopeHeader {
  const read = readEnvelopeHeader(Buffer.from(line));
  if (read.outcome !== 'ok') throw new Error(read.detail);
  return read.header;
}

function detailOf(body: string | Uint8Array): string | undefined {
  const read = readEnvelopeHeader(Buffer.from(body));
  return read.outcome === 'malformed' ? read.detail : undefined;
}

function nested(levels: number): string {
  return `{"dsn":"${SAMPLE_DSN}","x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
}

describe('readEnvelopeHeader', () => {
  it('A1, H17: reads DSN, event id, time and SDK of a browser envelope', () => {
    const body = lines(
      `{"event_id":"${SAMPLE_ID}","sent_at":"2026-11-21T02:42:19.483Z","sdk":{"name":"sentry.javascript.browser","version":"10.75.3"},"dsn":"${SAMPLE_DSN}","trace":{"public_key":"other"}}`,
      '{"type":"event"}',
      '{}',
    );

    const read = readEnvelopeHeader(body);

    expect(read).toMatchObject({
      outcome: 'ok',
      header: {
        dsn: SAMPLE_DSN,
        eventId: SAMPLE_ID,
        sentAt: '2026-11-21T02:42:19.483Z',
        sdk: 'sentry.javascript.browser/10.75.3',
      },
      itemsStart: body.indexOf('\n') + 1,
    });
  });

  it('E1: answers the line as a view of the body, without its newline', () => {
    const body = lines('{"a":1}', '{"type":"event"}');

    const read = readEnvelopeHeader(body);

    expect(read).toMatchObject({ line: body.subarray(0, 7) });
    expect('line' in read && read.line.buffer).toBe(body.buffer);
  });

  it('E1: accepts a plain Uint8Array with an offset', () => {
    const bytes = new Uint8Array(lines('{}', '{}')).subarray(3);

    expect(readEnvelopeHeader(bytes)).toMatchObject({ outcome: 'ok', itemsStart: 2 });
  });

  it.each(['{}', '{}\n'])('E3: accepts %j, an envelope of only a header', (body) => {
    expect(readEnvelopeHeader(Buffer.from(body))).toMatchObject({
      outcome: 'ok',
      header: EMPTY,
      itemsStart: body.length,
    });
  });

  it('A2: accepts a header without a DSN', () => {
    expect(headerOf(`{"event_id":"${SAMPLE_ID}"}`)).toEqual({ ...EMPTY, eventId: SAMPLE_ID });
  });

  it('E6: reads null as a missing value', () => {
    expect(headerOf('{"dsn":null,"event_id":null,"sent_at":null,"sdk":null}')).toEqual(EMPTY);
  });

  it('E8: rejects an empty body', () => {
    expect(detailOf('')).toBe('empty request body');
  });

  it.each([
    ['null', 'null'],
    ['an array', '[1]'],
    ['a string', '"x"'],
    ['a number', '7'],
    ['an empty line', '\n{"type":"event"}\n{}'],
    ['a byte order mark', '\ufeff{}'],
    ['a NUL after it', '{}\u0000'],
    ['a NUL in it', '{"a":"\u0000"}'],
    ['a blank before it', ' {}'],
    ['a blank after it', '{} '],
    ['a second object', '{}{}'],
    ['a line break in it', '{\n"a":1\n}'],
    ['a comment', '{/**/}'],
    ['a single quote', "{'a':1}"],
    ['a comma too many', '{"a":1,}'],
    ['half an object', '{"a":1'],
    ['only a brace', '{'],
  ])('E9: refuses %s', (_, body) => {
    expect(detailOf(body)).toMatch(/^envelope header is not /);
  });

  it('E2: rejects a carriage return after the header', () => {
    expect(detailOf('{}\r\n{"type":"event"}\r\n{}')).toBe('envelope header is not a JSON object');
  });

  it('E10: accepts a header of 16 KiB', () => {
    const line = `{"x":"${'a'.repeat(MAX_HEADER_BYTES - 8)}"}`;

    expect(line).toHaveLength(MAX_HEADER_BYTES);
    expect(detailOf(`${line}\n`)).toBeUndefined();
    expect(detailOf(line)).toBeUndefined();
  });

  it.each(['', '\n{"type":"event"}'])('E10: rejects a header of one byte more, followed by %j', (rest) => {
    expect(detailOf(`{"x":"${'a'.repeat(MAX_HEADER_BYTES - 7)}"}${rest}`)).toBe(
      'envelope header is longer than 16 KiB',
    );
  });

  it('E10: accepts 32 levels and rejects 33', () => {
    expect(detailOf(nested(32))).toBeUndefined();
    expect(detailOf(nested(33))).toBe('envelope header is nested too deeply');
  });

  it('E10: counts no brackets within strings', () => {
    expect(detailOf(`{"x":"${'[{'.repeat(100)}\\"${'['.repeat(100)}"}`)).toBeUndefined();
  });

  it.each([
    ['dsn', '{"dsn":"https://a@h.example/1","dsn":"https://a@evil.example/1"}'],
    ['dsn in two spellings', '{"dsn":"https://a@h.example/1","d\\u0073n":"https://a@evil.example/1"}'],
    ['sent_at', '{"sent_at":"2026-11-21T00:00:00Z","sent_at":"2026-11-21T00:00:00Z"}'],
    ['an unknown key', '{"x":1,"y":2,"x":1}'],
    ['__proto__', '{"__proto__":1,"__proto__":2}'],
    ['the empty key', '{"":1,"":2}'],
  ])('E11: refuses %s twice', (_, line) => {
    expect(detailOf(line)).toBe('envelope header has a key twice');
  });

  it('E11: lets keys repeat in other objects', () => {
    expect(headerOf(`{"a":{"dsn":1},"b":[{"dsn":2}],"dsn":"${SAMPLE_DSN}"}`).dsn).toBe(SAMPLE_DSN);
  });

  it('E12: reads an escaped key as the key it is', () => {
    expect(headerOf(`{"d\\u0073n":"${SAMPLE_DSN}"}`).dsn).toBe(SAMPLE_DSN);
  });

  it('E12: reads no key out of a text', () => {
    expect(headerOf('{"x":"\\",\\"dsn\\":\\"https://a@evil.example/1"}').dsn).toBeNull();
  });

  it.each([
    ['a lone byte', [0xff]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
  ])('E13: refuses a header with %s that is no UTF-8', (_, bytes) => {
    const body = Buffer.concat([Buffer.from('{"x":"'), Buffer.from(bytes), Buffer.from('"}')]);

    expect(detailOf(body)).toBe('envelope header is not valid JSON');
  });

  it.each(['12c2d058-d584-4270-9aa2-eca08bf20986', '12C2D058D58442709AA2ECA08BF20986'])(
    'E14: reads the event id %s as 32 lower-case digits',
    (id) => {
      expect(headerOf(`{"event_id":"${id}"}`).eventId).toBe('12c2d058d58442709aa2eca08bf20986');
    },
  );

  it.each(['0'.repeat(32), '00000000-0000-0000-0000-000000000000'])(
    'E14: reads the event id %s as none',
    (id) => {
      expect(headerOf(`{"event_id":"${id}"}`).eventId).toBeNull();
    },
  );

  it.each(['"zz"', '""', `"${SAMPLE_ID}0"`, `" ${SAMPLE_ID}"`, `"{${SAMPLE_ID}}"`, '7', '{}', 'true'])(
    'E14: rejects the event id %s',
    (id) => {
      expect(detailOf(`{"event_id":${id}}`)).toBe('event_id is not a UUID');
    },
  );

  it.each(['1', 'true', '{"a":1}', '["https://a@h.example/1"]'])('A10: rejects the DSN %s', (dsn) => {
    expect(detailOf(`{"dsn":${dsn}}`)).toBe('dsn is not a string');
  });

  it('rejects a sent_at that is no string', () => {
    expect(detailOf('{"sent_at":1700000000}')).toBe('sent_at is not a string');
  });

  it('S2: gets no DSN from __proto__ and changes no prototype', () => {
    const header = headerOf(`{"__proto__":{"dsn":"${SAMPLE_DSN}"},"constructor":1}`);

    expect(header.dsn).toBeNull();
    expect(Object.prototype).not.toHaveProperty('dsn');
  });

  it.each([
    ['{"name":"sentry.ruby"}', null],
    ['{"name":1,"version":"1"}', null],
    ['"sentry.ruby/1"', null],
    ['[]', null],
    ['{"name":"@sentry/x","version":"1.0+a"}', '@sentry/x/1.0+a'],
    ['{"name":"a\\r\\nb: c","version":"\\u00e4, sentry_key=1"}', 'a__b__c/___sentry_key_1'],
  ])('S5: takes the SDK %s for %s', (sdk, name) => {
    expect(headerOf(`{"sdk":${sdk}}`).sdk).toBe(name);
  });

  it('S5: cuts a long SDK name', () => {
    expect(headerOf(`{"sdk":{"name":"${'a'.repeat(1_000)}","version":"1"}}`).sdk).toHaveLength(128);
  });

  it('S3: never throws, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (body) => {
        expect(() => readEnvelopeHeader(body)).not.toThrow();
      }),
    );
  });

  it('E9: agrees with JSON.parse on any object, however it is written', () => {
    const value = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 5 }), { maxKeys: 8 });
    fc.assert(
      fc.property(value, (extra) => {
        const line = JSON.stringify({ ...extra, dsn: SAMPLE_DSN, event_id: null, sent_at: null });

        expect(headerOf(line).dsn).toBe(SAMPLE_DSN);
      }),
    );
  });
});

describe('parseEventId', () => {
  it('E14: makes the one stored form, or undefined', () => {
    expect(parseEventId('12C2D058-d584-4270-9aa2-eca08bf20986')).toBe('12c2d058d58442709aa2eca08bf20986');
    expect(parseEventId(null)).toBeUndefined();
  });
});
