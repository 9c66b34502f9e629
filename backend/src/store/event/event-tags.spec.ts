import type { Fields } from '../../digest/fields.ts';
import { growthOf, MAX_GROWTH } from '../../time/growth.fixture.ts';
import { columnTags, tagNamed, tagsColumn, tagsIn } from './event-tags.ts';

const many = (count: number, value: string): Fields => ({
  tags: Array.from({ length: count }, (_, at) => [`tag${at}`, value]),
});

describe('the tags of an event that are stored', () => {
  it.each<[sent: string, tags: unknown, stored: unknown]>([
    ['an object', { plan: 'gold', beta: true, seats: 12 }, 'plan:gold beta:true seats:12'],
    ['pairs', [['plan', 'gold']], 'plan:gold'],
    ['objects with key and value', [{ key: 'Plan', value: 'Gold Plus' }], 'Plan:Gold Plus'],
    ['none', undefined, ''],
    ['empty values', { plan: ' ', region: null, list: [1] }, ''],
    [
      'other facts',
      { environment: 'a', release: 'b', server_name: 'c', url: '/d', level: 'e', User: 'f' },
      '',
    ],
    ['names of the user', { 'user.id': '7', user_email: 'ann@x.org', user_type: 'admin' }, 'user_type:admin'],
    ['tags of Errata', { 'errata.digest': '7KQ4-M2XD', errata: 'x' }, 'errata:x'],
    ['requests', { request_id: 'req-1', 'X-Correlation-ID': 'a' }, ''],
    ['hidden values', { plan: '[Filtered]' }, ''],
    ['ids', { trace: 'c'.repeat(15) + 1, order: 'no 123456', key: 'ab-cd-ef-gh-ij-k1' }, ''],
    ['words that are no ids', { flag: 'new-checkout-button', zone: 'eu-central-1a', order: '12345' }, null],
    ['a name with a colon', { 'a:b': 'c' }, ''],
    ['a long name', { ['n'.repeat(33)]: 'a', ['m'.repeat(32)]: 'b' }, `${'m'.repeat(32)}:b`],
    ['a long value', { plan: 'g'.repeat(70) }, `plan:${'g'.repeat(64)}`],
    ['a NUL and half a character', { plan: 'go\0ld \ud83d' }, 'plan:gold \ufffd'],
  ])('are those of %s', (_, tags, stored) => {
    const expected =
      stored ??
      Object.entries(Object(tags))
        .map((tag) => tag.join(':'))
        .join(' ');

    expect(
      columnTags({ tags })
        .map((tag) => tag.join(':'))
        .join(' '),
    ).toBe(expected);
  });

  it('are eight at most, of 256 characters together', () => {
    expect(columnTags(many(9, 'a')).map(([name]) => name)).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((at) => `tag${at}`),
    );
    expect(columnTags(many(9, 'v'.repeat(60)))).toHaveLength(4);
    expect(columnTags(many(9, 'v'.repeat(61)))).toHaveLength(3);
  });

  it('are eight of 10,000 with 64 KiB each, in linear time, also where none is stored', () => {
    const long = 'x '.repeat(32_768);

    expect(columnTags(many(10_000, 'x'))).toHaveLength(8);
    expect(columnTags(many(10_000, long))).toHaveLength(3);
    expect(growthOf(10_000, (size) => columnTags(many(size, long)))).toBeLessThan(MAX_GROWTH);
    expect(growthOf(10_000, (size) => columnTags(many(size, '123456')))).toBeLessThan(MAX_GROWTH);
  });

  it('are read from their column', () => {
    const tags = columnTags({ tags: { plan: 'say "gold"\n\\ \u0001 ü' } });

    expect(tagsIn(tagsColumn(tags))).toEqual(tags);
    expect([tagsColumn([]), tagsIn(null)]).toEqual([null, []]);
  });
});

describe('tagNamed', () => {
  it.each([
    ['plan:gold', ['plan', 'gold']],
    ['time:12:30', ['time', '12:30']],
    [`plan:${'g'.repeat(70)}`, ['plan', 'g'.repeat(64)]],
    ['plan', null],
    ['plan:', null],
    [':gold', null],
  ])('of %j is %j', (text, tag) => {
    expect(tagNamed(text)).toEqual(tag);
  });
});
