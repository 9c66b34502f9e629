import { deadLetterItems } from './dead-letter-items.ts';

function envelope(...lines: readonly (string | object)[]): Buffer {
  return Buffer.from(
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  );
}

const WHOLE = { isWhole: true, isEnvelope: true };

describe('deadLetterItems', () => {
  it('shows what JSON items say, scrubbed, and of others how large they are', () => {
    const bytes = envelope(
      '{}',
      { type: 'event' },
      { message: 'login with password=hunter2', request: { headers: { Authorization: 'Bearer abc.def' } } },
      { type: 'attachment', length: 6 },
      'secret',
    );

    const { items, unread } = deadLetterItems(bytes, WHOLE);

    expect(unread).toBeNull();
    expect(items.map(({ type, bytes: size }) => [type, size])).toEqual([
      ['event', expect.any(Number)],
      ['attachment', 6],
    ]);
    expect(JSON.parse(items[0]?.text ?? '')).toEqual({
      message: 'login with password=[Filtered]',
      request: { headers: { Authorization: '[Filtered]' } },
    });
    expect(items[1]?.text).toBeNull();
    expect(JSON.stringify(items)).not.toMatch(/hunter2|abc\.def|secret/);
  });

  it('shows the items before the one that cannot be read, and says why', () => {
    const bytes = envelope('{}', { type: 'session' }, { sid: 'x' }, { type: 'event', length: 900 }, '{"cut');

    const { items, unread } = deadLetterItems(bytes, { ...WHOLE, isWhole: false });

    expect(items.map(({ type }) => type)).toEqual(['session']);
    expect(unread).toBe(
      'Only the beginning is stored, because the envelope is very large. The envelope cannot be read to its end: item 2: length runs past the end.',
    );
  });

  it.each([
    ['an HTML page', '<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['a header line', '{"dsn":"https://key@host/1"', '{"dsn":"https://[Filtered]@host/1"'],
    [
      'a secret that ends behind them',
      `${'x'.repeat(170)} password="${'y'.repeat(99)}"`,
      expect.stringMatching(/x password="\[Filtered\]"$/),
    ],
    ['more than 200 characters', 'é'.repeat(600), `${'é'.repeat(199)}…`],
    ['a readable item', '{}\n{"type":"session"}\n{}\n{"type":"event","length":9}\n', null],
    ['nothing', '', null],
  ])('shows the first bytes of a malformed body without any item: %s', (_, body, shown) => {
    const { beginning, unread } = deadLetterItems(Buffer.from(body), { ...WHOLE, isEnvelope: false });

    expect([beginning, unread]).toEqual([shown, null]);
  });

  it('scrubs no more of all items than of one', () => {
    const text = 'a'.repeat(2 ** 16);
    const list = Array.from({ length: 16 }, () => text);
    const bytes = envelope('{}', { type: 'event' }, { list }, { type: 'event' }, { text });

    expect(deadLetterItems(bytes, WHOLE).items[1]?.text).toBe('{\n  "text": "[Truncated]"\n}');
  });

  it('cuts a long text, and a long list', () => {
    const long = deadLetterItems(envelope('{}', { type: 'event' }, { list: manyTexts() }), WHOLE);
    const many = Array.from({ length: 60 }, () => ['{"type":"client_report"}', '{}']).flat();
    const list = deadLetterItems(envelope('{}', ...many), WHOLE);

    expect(long.items[0]?.text?.length).toBe(64 * 1024);
    expect(list.items).toHaveLength(50);
    expect(list.unread).toBe('The first 50 of 60 items are shown.');
  });

  it.each([
    ['nothing', ''],
    ['a line without an end', '{"dsn":'],
    ['no text', Buffer.from([0xff, 0xfe, 0x0a, 0x80, 0x0a, 0x00])],
    ['JSON that is too deep', `{}\n{"type":"event"}\n${'['.repeat(200)}`],
    ['no object', '{}\n{"type":"event"}\n[1,2]'],
  ])('survives %s', (_, body) => {
    const { items } = deadLetterItems(Buffer.from(body), WHOLE);

    expect(items.every(({ text }) => text === null)).toBe(true);
  });
});

function manyTexts(): readonly string[] {
  return Array.from({ length: 500 }, (_, index) => `${index} ${'word '.repeat(100)}`);
}
