import { HOSTILE_VALUES } from '../digest/hostile-values.fixture.ts';
import { readableError } from './readable-error.ts';

describe('readableError', () => {
  it('copies what the SDK reads of an error, and leaves the error as it is', () => {
    const member = new RangeError('three');
    const error = new AggregateError(['no error', member], 'all failed', { cause: new TypeError('below') });

    const copy = readableError(error) as AggregateError;

    expect(copy).not.toBe(error);
    expect([copy.name, copy.message, copy.cause]).toMatchObject([
      'AggregateError',
      'all failed',
      { name: 'TypeError', message: 'below' },
    ]);
    expect(copy.errors).toMatchObject([{ name: 'RangeError', message: 'three' }]);
    expect(copy.stack?.split('\n').slice(-3)).toEqual(error.stack?.split('\n').slice(-3));
  });

  it('takes no line of a message for a frame', () => {
    const error = new Error('failed\n    at admin (/srv/shop/forged.js:1:1)');

    expect((readableError(error) as Error).stack).not.toContain('forged');
  });

  it('copies an object with its class, three levels deep, as JSON has it', () => {
    class Refusal {
      readonly at = new Date(0);
      readonly list = [1, { deep: { deeper: {} } }];
    }

    const copy = readableError(new Refusal());

    expect(copy).toEqual({ at: '1970-01-01T00:00:00.000Z', list: [1, { deep: '[Object]' }] });
    expect(copy?.constructor.name).toBe('Refusal');
  });

  it('copies of an object as much as the SDK can read at once', () => {
    const long = 'x'.repeat(2_000);
    const copyOf = (at: number) => [`${at}`, { [long]: long }] as const;

    const copies = [{ [long]: long }, Object.fromEntries(Array.from({ length: 200 }, (_, at) => copyOf(at)))]
      .map(readableError)
      .map((copy) => Object.entries(Object(copy)));

    expect(copies[0]).toEqual([[long.slice(0, 1_024), long.slice(0, 1_024)]]);
    expect(copies[1]).toHaveLength(100);
    expect(copies[1]?.[0]).toEqual(['0', {}]);
  });

  it.each([
    [[1, 2], '1,2'],
    [new Map(), '[object Map]'],
  ])('returns %p as a text', (thrown, text) => {
    expect(readableError(thrown)).toBe(text);
  });

  it.each(['text', 42, 10n, true, null, undefined])('returns %p as it is', (thrown) => {
    expect(readableError(thrown)).toBe(thrown);
  });

  it.each(HOSTILE_VALUES)('never throws: %s', (_, thrown) => {
    expect(() => readableError(thrown)).not.toThrow();
  });
});
