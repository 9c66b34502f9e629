import { scanItems } from '../envelope/items.ts';
import { scrubbedItems } from './scrubbed-items.ts';

const DEEP_19_MB = '['.repeat(9_500_000) + ']'.repeat(9_500_000);
const DEEP_4_MB = '['.repeat(2_000_000) + ']'.repeat(2_000_000);
const MANY_VALUES_4_MB = `{"list":[${Array(1_300_000).fill('{}').join(',')}]}`;
const LONG_TEXT_4_MB = `{"text":"${'x'.repeat(4_000_000)}"}`;
const GOOD = '{"message":"good","password":"secret"}';
const TOO_LARGE = 'its scrubbed copy is more than 4 MiB larger';

function items(type: string, payload: string | Buffer, count = 1): Buffer {
  const header = JSON.stringify({ type, length: Buffer.byteLength(payload) });
  const item = Buffer.concat([Buffer.from(`${header}\n`), Buffer.from(payload), Buffer.from('\n')]);
  return Buffer.concat(Array.from({ length: count }, () => item));
}

/** Returns the payloads of the scrubbed items, or the text of the error. */
function verdictOf(...parts: readonly Buffer[]): readonly string[] | string {
  try {
    const bytes = Buffer.from(scrubbedItems(Buffer.concat(parts)));
    const scan = scanItems(bytes, 0);
    if (scan.outcome !== 'ok') return scan.detail;
    return scan.items.map(({ payloadStart, payloadEnd }) => bytes.toString('utf8', payloadStart, payloadEnd));
  } catch (error) {
    return error instanceof Error ? error.message : 'no error';
  }
}

const unfit = (type: string): string =>
  `its item of type "${type}" is too large, too deep or has too many values`;

describe('scrubbedItems', () => {
  it.each([
    ['19 MB of brackets', 'novelty', DEEP_19_MB, 1],
    ['4 items of 4 MB of brackets', 'event', DEEP_4_MB, 4],
    ['8 items of 4 MB of brackets', 'novelty', DEEP_4_MB, 8],
    ['16 items of 4 MB of brackets', 'novelty', DEEP_4_MB, 16],
    ['4 items of 4 MB of values', 'event', MANY_VALUES_4_MB, 4],
    ['more than 4 MiB of text', 'novelty', `{"text":"${'x'.repeat(4 * 2 ** 20)}"}`, 1],
  ])('S3: refuses %s unparsed, also behind a good item', (_, type, payload, count) => {
    expect(verdictOf(items('event', GOOD), items(type, payload, count))).toBe(unfit(type));
  });

  it.each([4, 8, 16, 36])('S3: scrubs 15 of %d items of 4 MB, and the good one beside them', (count) => {
    const verdict = verdictOf(items('event', LONG_TEXT_4_MB, count), items('event', GOOD));

    const text = `{"text":"${'x'.repeat(16_383)}…"}`;
    expect(verdict).toEqual([
      ...Array.from({ length: count }, (_, index) => (index < 15 ? text : '{"text":"[Truncated]"}')),
      '{"message":"good","password":"[Filtered]"}',
    ]);
  });

  it('keeps the names and values of a small item behind items that have spent the characters', () => {
    const checkIn = '{"check_in_id":"a","monitor_slug":"nightly","status":"ok"}';
    const spent = JSON.stringify({ list: Array.from({ length: 16 }, () => 'x'.repeat(2 ** 16 - 1)) });

    expect(verdictOf(items('event', spent), items('check_in', checkIn))[1]).toBe(checkIn);
  });

  it('S3: refuses an envelope that would grow by more than 4 MiB, by filtered or truncated values', () => {
    const lists = (length: number, value: unknown): string =>
      JSON.stringify(Array.from({ length }, () => Array.from({ length: 990 }, () => value)));
    const invalidUtf8 = Buffer.concat([Buffer.from('"'), Buffer.alloc(16_000, 0xff), Buffer.from('"')]);

    expect(verdictOf(items('event', lists(45, { pw: 1 }), 10))).toBe(TOO_LARGE);
    expect(verdictOf(items('event', lists(90, 'a'), 18))).toBe(TOO_LARGE);
    expect(verdictOf(items('event', invalidUtf8, 200))).toHaveLength(200);
  });
});
