import { newValueBudget, parseBounded } from './bounded-json.ts';
import { scrubEvent } from './scrub-event.ts';

const listOf = (values: number): Uint8Array => Buffer.from(`{"a":[${Array(values).fill('{}').join(',')}]}`);

describe('parseBounded', () => {
  it('S3: parses a large document of few values, with any texts', () => {
    const event = { text: '{[,'.repeat(200_000), list: Array.from({ length: 40_000 }, () => ({})) };

    expect(parseBounded(Buffer.from(JSON.stringify(event)))).toEqual(event);
  });

  it('S3: takes nothing of more values than the scrubber keeps', () => {
    expect(parseBounded(listOf(49_999))).toBeDefined();
    expect(parseBounded(listOf(50_001))).toBeUndefined();
    expect(parseBounded(Buffer.from(`{"a":[${'0,'.repeat(100_000)}0]}`))).toBeUndefined();
  });

  it('takes no more of all items of an envelope than of one', () => {
    const room = newValueBudget();

    const read = [30_000, 30_000, 10_000, 20_000].map((values) => parseBounded(listOf(values), room));

    expect(read.map((body) => body !== undefined)).toEqual([true, false, true, false]);
  });

  it('S3: takes nothing that is too deep, or is no object', () => {
    expect(parseBounded(Buffer.from(`{"a":${'['.repeat(100)}${']'.repeat(100)}}`))).toBeUndefined();
    expect(parseBounded(Buffer.from('[1]'))).toBeUndefined();
  });
});

describe('JSON in a string of an event', () => {
  it.each([
    ['101 levels', `${'['.repeat(101)}${']'.repeat(101)}`],
    ['more than 100,000 values', `[${'0,'.repeat(100_000)}0]`],
  ])('S3: is truncated unparsed with %s', (_, body) => {
    expect(scrubEvent({ body })).toEqual({ body: '[Truncated]' });
  });
});
