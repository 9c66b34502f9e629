import fc from 'fast-check';
import { SAMPLE_DSN, SAMPLE_ID } from './envelope.fixture.ts';
import { NIL_EVENT_ID } from './event-id.ts';
import { readEnvelopeHeader } from './envelope-header.ts';
import { type HeaderEdits, rewriteHeader } from './rewrite-header.ts';

function rewritten(line: string, edits: HeaderEdits): string {
  return Buffer.from(rewriteHeader(Buffer.from(line), edits)).toString();
}

describe('rewriteHeader', () => {
  it('E16: replaces DSN and time and keeps every other byte', () => {
    const line =
      '{ "future" : {"a":[1.0, 1e3]} ,"dsn":"https://a@b.example/1",\t"sent_at" : "old" , "\\u0078":"\\u00e4ä"}';

    const result = rewritten(line, { dsn: SAMPLE_DSN, sentAt: '2026-11-21T00:00:00.000Z' });

    expect(result).toBe(
      `{ "future" : {"a":[1.0, 1e3]} ,"dsn":"${SAMPLE_DSN}",\t"sent_at" : "2026-11-21T00:00:00.000Z" , "\\u0078":"\\u00e4ä"}`,
    );
  });

  it('E16: counts bytes and not characters', () => {
    expect(rewritten('{"x":"🦀ü","sent_at":"old","y":"ü"}', { sentAt: 'new' })).toBe(
      '{"x":"🦀ü","sent_at":"new","y":"ü"}',
    );
  });

  it('E16: returns the same line if nothing changes', () => {
    const line = Buffer.from('{"a":1}');

    expect(rewriteHeader(line, { dsn: SAMPLE_DSN, sentAt: 'new' })).toBe(line);
  });

  it('E12: finds an escaped key', () => {
    expect(rewritten('{"d\\u0073n":"old"}', { dsn: SAMPLE_DSN })).toBe(`{"d\\u0073n":"${SAMPLE_DSN}"}`);
  });

  it('A11: keeps the same names in other objects', () => {
    const line = '{"trace":{"dsn":"a","sent_at":"b","event_id":"c"},"x":["dsn","sent_at"],"y":"sent_at"}';

    expect(rewritten(line, { dsn: SAMPLE_DSN, sentAt: 'new' })).toBe(line);
  });

  it('L4: adds no time', () => {
    expect(rewritten('{"sent_at":null}', { sentAt: 'new' })).toBe('{"sent_at":null}');
  });

  it('A4: adds no DSN', () => {
    expect(rewritten('{}', { dsn: SAMPLE_DSN })).toBe('{}');
  });

  it.each([
    ['{}', `{"event_id":"${SAMPLE_ID}"}`],
    ['{ }', `{"event_id":"${SAMPLE_ID}" }`],
    ['{"a":1}', `{"event_id":"${SAMPLE_ID}","a":1}`],
    ['{"event_id":null,"a":1}', `{"event_id":"${SAMPLE_ID}","a":1}`],
    ['{"event_id": null ,"a":1}', `{"event_id": "${SAMPLE_ID}" ,"a":1}`],
    ['{"a":1,"event_id":null}', `{"a":1,"event_id":"${SAMPLE_ID}"}`],
    [`{"event_id":"${NIL_EVENT_ID}"}`, `{"event_id":"${SAMPLE_ID}"}`],
    ['{"event_id":"00000000-0000-0000-0000-000000000000","a":1}', `{"event_id":"${SAMPLE_ID}","a":1}`],
  ])('E14: adds a missing event id to %s', (line, expected) => {
    expect(rewritten(line, { eventId: SAMPLE_ID })).toBe(expected);
  });

  it('E14: keeps an existing event id', () => {
    const line = '{"event_id":"12c2d058-d584-4270-9aa2-eca08bf20986"}';

    expect(rewritten(line, { eventId: SAMPLE_ID })).toBe(line);
  });

  it('escapes the new values', () => {
    expect(rewritten('{"sent_at":"old"}', { sentAt: '"},\n' })).toBe('{"sent_at":"\\"},\\n"}');
  });

  it('E16: does not change the original', () => {
    const line = Buffer.from('{"sent_at":"old"}');

    rewriteHeader(line, { sentAt: 'longer' });

    expect(line.toString()).toBe('{"sent_at":"old"}');
  });

  it('E16: changes only the values asked for, in any header', () => {
    const key = fc
      .string({ unit: 'binary' })
      .filter((name) => !['dsn', 'sent_at', 'event_id'].includes(name));
    const extra = fc.dictionary(key, fc.jsonValue({ maxDepth: 4 }), { maxKeys: 6 });
    fc.assert(
      fc.property(extra, extra, fc.string({ unit: 'binary' }), (before, after, sentAt) => {
        const [head, tail] = [JSON.stringify(before).slice(0, -1), JSON.stringify(after).slice(1)];
        const [open, close] = [head === '{' ? head : `${head},`, tail === '}' ? tail : `,${tail}`];
        const line = (time: string) => `${open}"sent_at":${JSON.stringify(time)}${close}`;
        fc.pre(readEnvelopeHeader(Buffer.from(line('old'))).outcome === 'ok');

        expect(rewritten(line('old'), { sentAt })).toBe(line(sentAt));
      }),
    );
  });
});
