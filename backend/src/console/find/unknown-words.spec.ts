import { EVENT_FIELDS, FIND_FIELDS } from '../../contract/find-api.ts';
import { unknownWords } from './unknown-words.ts';

describe('unknownWords', () => {
  it.each([
    ['assigned:me', ['assigned:']],
    ['priority:high cart', ['priority:']],
    ['cart priority:"very high" priority:high', ['priority:']],
    ['cart OR basket', ['OR']],
    ['cart AND NOT basket', ['AND', 'NOT']],
    ['release:1.4.2 priority:2 assigned:me -has:user', ['assigned:', 'has:']],
  ])('names the words that are searched as text in %s', (query, unknown) => {
    expect(unknownWords(query)?.unknown).toEqual(unknown);
  });

  it.each([
    ['relaese:1.4.2', 'relaese:', 'release:'],
    ['-Relase:shop@1', 'Relase:', 'release:'],
    ['usr:ann', 'usr:', 'user:'],
    ['envronment:production', 'envronment:', 'environment:'],
    ['tags:plan:gold', 'tags:', 'tag:'],
    ['cart levle:fatal', 'levle:', 'level:'],
    ['lasst:24h', 'lasst:', 'last:'],
    ['uri:/cart', 'uri:', 'url:'],
    ['sever:web-1', 'sever:', 'server:'],
    ['brwoser:"safari 18"', 'brwoser:', 'browser:'],
    ['iss:open', 'iss:', 'is:'],
    ['att:2026-11-28', 'att:', 'at:'],
  ])('names the known filter that is nearest to an unknown one in %s', (query, unknown, known) => {
    expect(unknownWords(query)?.nearest).toEqual([{ unknown, known }]);
  });

  it.each(['priority:high', 'os:linux', 'it:is', 'localhost:3000 OR cart'])(
    'names none for one that is near to none: %s',
    (query) => {
      expect(unknownWords(query)?.nearest).toEqual([]);
    },
  );

  it.each([
    ['url:""', ['url:']],
    ['cart user:" " release:""', ['user:', 'release:']],
    ['url:', ['url:']],
    ['release:1.4.2 URL:', ['url:']],
    ['priority:high -user:""', ['user:']],
    ['priority:high user: ann', []],
  ])('names the filters without a value in %s', (query, empty) => {
    expect(unknownWords(query)?.empty).toEqual(empty);
  });

  it.each([
    ['level:high', 'level:high', 'debug, info, warning, error, fatal'],
    ['cart -is:unresolved', '-is:unresolved', 'open, resolved, ignored, regressed, new'],
    ['last:yesterday', 'last:yesterday', '30m, 1h, 24h, 7d'],
    ['tag:gold', 'tag:gold', 'name:value'],
    ['at:"28 Nov"', 'at:"28 Nov"', '2026-11-28T14, 2026-11-28 or two of them with .. between, in UTC'],
    [`${'user:a '.repeat(10)}user:b`, 'user:b', 'at most 10 filters'],
  ])('names the value that a filter cannot have in %s', (query, term, expected) => {
    expect(unknownWords(query)?.badValues).toEqual([{ term, expected }]);
  });

  it.each([
    ['cart user:ann "exact text" -word', ['cart', 'exact text', 'word']],
    ['level:fatal -is:new user:ann', ['level:', 'is:']],
    ['relaese:1 user:ann', ['relaese:']],
    ['a pasted\nmessage', ['a', 'pasted', 'message']],
    ['"user:ann" !"release:1"', ['user:ann', '!"release:1"']],
  ])('names in a search of events the words and fields that only issues have: %j', (query, unknown) => {
    expect(unknownWords(query, EVENT_FIELDS)).toMatchObject({
      unknown,
      known: EVENT_FIELDS.map((field) => `${field}:`),
    });
  });

  it.each(['"user:ann"', 'user:ann\nrelease:1', 'x user:', '"USER:ann"'])(
    'names no known filter in place of the same one: %j',
    (query) => {
      for (const fields of [FIND_FIELDS, EVENT_FIELDS])
        expect(unknownWords(query, fields)?.nearest ?? []).toEqual([]);
    },
  );

  it('says nothing about a search of events by their fields', () => {
    expect(unknownWords('user:ann -browser:safari tag:plan:gold last:24h', EVENT_FIELDS)).toBeUndefined();
  });

  it('lists the known words', () => {
    expect(unknownWords('priority:high')?.known.join(' ')).toBe(
      'release: user: url: environment: server: browser: tag: level: is: last: at: -word "exact text"',
    );
  });

  it.each([
    '',
    'cart is undefined',
    'release:1.4.2 user:ann@example.org url:/checkout "exact words"',
    'level:fatal -is:ignored last:24h at:2026-11-28 -cart',
    '"priority:high -cart OR basket"',
    'TypeError: cart is undefined',
    'cannot load url: https://shop.example/cart',
    'GET https://shop.example/cart failed at localhost:3000',
    'FILE NOT FOUND',
    'OR',
    '7KQ4-M2XD',
    'a1'.repeat(16),
    'the column priority:high of\nthe second line',
    `priority:high ${'x'.repeat(200)}`,
  ])('says nothing about %j', (query) => {
    expect(unknownWords(query)).toBeUndefined();
  });
});
