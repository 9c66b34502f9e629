import { messageOf } from './message.ts';

describe('messageOf', () => {
  it.each([
    ['order %s of %s refused', ['A-17', 'berlin'], 'order A-17 of berlin refused'],
    ['%d of %5.2f, %-10s%% and %x', [1, 2, 'three', 4], '1 of 2, three% and 4'],
    ['%(order)s of %(place)d', { order: 'A-17', place: 7 }, 'A-17 of 7'],
    ['order {} of {}', ['A-17', 'berlin'], 'order A-17 of berlin'],
    ['order {1} of {0}', ['berlin', 'A-17'], 'order A-17 of berlin'],
    ['order {order} of {place:N2}', { order: 'A-17', place: 7 }, 'order A-17 of 7'],
    ['{0:yyyy} {1,-5}', ['2026', 'a'], '2026 a'],
    ['set %s to {}', ['a', 'b'], 'set a to {}'],
    ['got %s', [{ b: 1, a: [2] }], 'got {"a":[2],"b":1}'],
    ['got %s', 'one', 'got one'],
    ['%s and %s', ['one'], 'one and %s'],
    ['{} and {x} and {constructor}', ['one'], 'one and {x} and {constructor}'],
    ['100 % sure', ['one'], '100 % sure'],
    ['%s is low', undefined, '%s is low'],
    ['%s is low', [null], '%s is low'],
  ])('fills %j with %j', (template, params, text) => {
    expect(messageOf({ logentry: { message: template, params } })).toEqual({ template, text });
  });

  it.each([
    [{ message: 'a' }, { template: 'a', text: 'a' }],
    [{ logentry: { formatted: 'a b' } }, { template: 'a b', text: 'a b' }],
    [{ logentry: { message: 'a %s', formatted: 'a b', params: ['c'] } }, { template: 'a %s', text: 'a b' }],
    [
      { logentry: { message: 'a %s', params: ['c'] }, message: 'a b' },
      { template: 'a %s', text: 'a b' },
    ],
    [
      { logentry: { message: ' ', formatted: '' }, message: 'a' },
      { template: 'a', text: 'a' },
    ],
    [
      { logentry: { formatted: 'a b' }, message: 'c' },
      { template: 'a b', text: 'a b' },
    ],
    [{ logentry: {}, message: '\n' }, null],
    [{}, null],
  ])('reads %j', (event, message) => {
    expect(messageOf(event)).toEqual(message);
  });

  it('leaves a template longer than SDKs send as it is', () => {
    const template = '%s '.repeat(3_000);

    expect(messageOf({ logentry: { message: template, params: ['a'] } })?.text).toBe(template);
  });
});
