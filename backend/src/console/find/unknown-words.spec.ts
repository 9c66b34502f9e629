import { unknownWords } from './unknown-words.ts';

describe('unknownWords', () => {
  it.each([
    ['environment:staging', ['environment:']],
    ['level:error cart', ['level:']],
    ['cart level:"very bad" level:error', ['level:']],
    ['cart -checkout', ['-checkout']],
    ['cart OR basket', ['OR']],
    ['cart AND NOT basket', ['AND', 'NOT']],
    ['release:1.4.2 is:unresolved -cart', ['is:', '-cart']],
  ])('names the words that are searched as text in %s', (query, unknown) => {
    expect(unknownWords(query)?.unknown).toEqual(unknown);
  });

  it.each([
    ['url:""', ['url:']],
    ['cart user:" " release:""', ['user:', 'release:']],
    ['url:', ['url:']],
    ['release:1.4.2 URL:', ['url:']],
    ['level:error user:""', ['user:']],
    ['level:error user: ann', []],
  ])('names the filters without a value in %s', (query, empty) => {
    expect(unknownWords(query)?.empty).toEqual(empty);
  });

  it('lists the known words', () => {
    expect(unknownWords('level:error')?.known).toEqual(['release:', 'user:', 'url:', '"exact text"']);
  });

  it.each([
    '',
    'cart is undefined',
    'release:1.4.2 user:ann@example.org url:/checkout "exact words"',
    '"level:error -cart OR basket"',
    'TypeError: cart is undefined',
    'cannot load url: https://shop.example/cart',
    'GET https://shop.example/cart failed at localhost:3000',
    'FILE NOT FOUND',
    'OR',
    '7KQ4-M2XD',
    'a1'.repeat(16),
    'the column level:error of\nthe second line',
    `level:error ${'x'.repeat(200)}`,
  ])('says nothing about %j', (query) => {
    expect(unknownWords(query)).toBeUndefined();
  });
});
