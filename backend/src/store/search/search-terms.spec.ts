import { growthOf, MAX_GROWTH } from '../../time/growth.fixture.ts';
import { readSearch, type SearchTerm } from './search-terms.ts';

/** `not user=ann`, a text in quotation marks. */
function shown({ field, value, isNegated }: SearchTerm): string {
  return `${isNegated ? 'not ' : ''}${field === null ? `"${value}"` : `${field}=${value}`}`;
}

function termsOf(text: string): readonly string[] {
  return readSearch(text).map(shown);
}

const BLANK = '\u00a0';
const LONG = 'x'.repeat(200);

describe('readSearch', () => {
  it.each<[string, readonly string[]]>([
    ['', []],
    ['  ', []],
    ['""', []],
    ['cart', ['"cart"']],
    ['cart is undefined', ['"cart"', '"is"', '"undefined"']],
    ['"cart is" undefined', ['"cart is"', '"undefined"']],
    ['"no end', ['""no"', '"end"']],
    ['end"', ['"end""']],
    ['a"b c"d', ['"a"b"', '"c"d"']],
    ['"a"b', ['"a"', '"b"']],
    ['release:1.4.2', ['release=1.4.2']],
    ['RELEASE:1.4.2', ['release=1.4.2']],
    ['release:"shop 1"', ['release=shop 1']],
    ['user:ann@example.org url:/checkout', ['user=ann@example.org', 'url=/checkout']],
    ['user: ann', ['user=ann']],
    [' User: "ann lee" ', ['user=ann lee']],
    ['level: fatal', ['level=fatal']],
    ['user: ann url:/a', ['"user:"', '"ann"', 'url=/a']],
    ['at: line 3', ['"at:"', '"line"', '"3"']],
    ['at: 3', ['"at:"', '"3"']],
    ['last: night', ['"last:"', '"night"']],
    ['cannot load url: https://shop.example/a', ['"cannot"', '"load"', '"url:"', '"https://shop.example/a"']],
    ['user:', ['user=']],
    ['user:""', ['user=']],
    ['user: url:', ['user=url:']],
    ['-user:', ['not user=']],
    ['release:1 at:', ['release=1', 'at=']],
    ['level:fatal is:new last:24h at:2026-11-28', ['level=fatal', 'is=new', 'last=24h', 'at=2026-11-28']],
    ['at:2026-11-28T14..2026-11-28T16', ['at=2026-11-28T14..2026-11-28T16']],
    ['environment:production -server:web-1', ['environment=production', 'not server=web-1']],
    ['browser:"safari 18"', ['browser=safari 18']],
    ['tag:plan:gold', ['tag=plan:gold']],
    ['tag:"plan:gold plus" -TAG:plan:"gold plus"', ['tag=plan:gold plus', 'not tag=plan:gold plus']],
    ['tag:plan', ['tag=plan']],
    ['plan:"gold plus"', ['"plan:"gold"', '"plus""']],
    ['release:@shop/cart@1.4.2-rc.1+7', ['release=@shop/cart@1.4.2-rc.1+7']],
    ['release:shop:1.4.2 -release:v1:', ['release=shop:1.4.2', 'not release=v1:']],
    ['release:"1.4.2 (build 7)', ['release="1.4.2', '"(build"', '"7)"']],
    ['last:30m -last:7D', ['last=30m', 'not last=7D']],
    ['at:2026-11-28T14:30 at:..', ['at=2026-11-28T14:30', 'at=..']],
    ['at:2026-11-28 .. 2026-11-29', ['at=2026-11-28', '".."', '"2026-11-29"']],
    ['-release:1.4.2', ['not release=1.4.2']],
    ['!release:1.4.2', ['not release=1.4.2']],
    ['-url:"/a b" !user:ann', ['not url=/a b', 'not user=ann']],
    ['--user:ann', ['"--user:ann"']],
    ['- user:ann', ['"-"', 'user=ann']],
    ['x-user:ann', ['"x-user:ann"']],
    ['user:-ann', ['user=-ann']],
    ['-cart', ['not "cart"']],
    ['-Überweisung', ['not "Überweisung"']],
    ['-"no items"', ['not "no items"']],
    ['-""', []],
    ['!cart', ['"!cart"']],
    ['!important is ignored', ['"!important"', '"is"', '"ignored"']],
    ['-1 is no index', ['"-1"', '"is"', '"no"', '"index"']],
    ['npm ERR! code -13', ['"npm"', '"ERR!"', '"code"', '"-13"']],
    ['curl -X POST', ['"curl"', '"-X"', '"POST"']],
    ['git --no-pager log -n 3', ['"git"', '"--no-pager"', '"log"', '"-n"', '"3"']],
    ['timeout - giving up', ['"timeout"', '"-"', '"giving"', '"up"']],
    ['pre-release:1 failed', ['"pre-release:1"', '"failed"']],
    ['relaese:1.4.2', ['"relaese:1.4.2"']],
    ['priority:high', ['"priority:high"']],
    ['https://shop.example/a?release:1', ['"https://shop.example/a?release:1"']],
    ['{"level":"error","user":"ann"}', ['"{"level":"error","user":"ann"}"']],
    ['TypeError: cart is undefined', ['"TypeError:"', '"cart"', '"is"', '"undefined"']],
    [`user:ann${BLANK}-cart`, ['user=ann', 'not "cart"']],
    ['user:ann\tcart', ['user=ann', '"cart"']],
    ['user:a\0nn', ['user=ann']],
    ['user:\ud800', ['user=\ufffd']],
    ["user:') or 1=1 --", ["user=')", '"or"', '"1=1"', '"--"']],
    ['user:% url:_', ['user=%', 'url=_']],
    ['user:ann\nurl:/a -cart', ['"user:ann"', '"url:/a"', '"-cart"']],
    [
      'Application error: a server-side exception has occurred.\nDigest: 7KQ4-M2XD',
      'Application error: a server-side exception has occurred. Digest: 7KQ4-M2XD'
        .split(' ')
        .map((word) => `"${word}"`),
    ],
    ['TypeError: x\n    at url:3:1\n    -release:1', ['"TypeError:"', '"x"', '"-release:1"']],
    ...[
      'Uncaught CartError: no items',
      'app-4fD1.js:1 Uncaught (in promise) CartError: no items',
      'CartError: no items\n    at async Cart.total [as sum] (/srv/cart.js:7:3)\n    at node:internal/a:1:2',
      'CartError: no items    at new Cart (https://shop.example/a.js:7:3)    at https://shop.example/a.js:1:2',
      'CartError: no items\ntotal@https://shop.example/a.js:7:3\n@https://shop.example/a.js:1:2\n',
      'CartError: no items\n    at Array.map (<anonymous>)\n    at total (/srv/cart.js:7:3)',
      'CartError: no items\n    at new Promise (<anonymous>)\n  at async Promise.all (index 0)',
      'CartError: no items\r\n\tat JSON.parse (native)\r\n\tat <anonymous>:1:7\r\n',
      'CartError: no items    at Array.map (<anonymous>)    at async Promise.all (index 0)    at <anonymous>:1:7',
      'Uncaught CartError: no items\n    total https://shop.example/a.js:11\n    https://shop.example/a.js:12',
      'CartError: no items    total https://shop.example/a.js:11    <anonymous> https://shop.example/a.js:12',
      '[Error] CartError: no items',
      '[Error] Unhandled Promise Rejection: CartError: no items',
      '12:01:33.123 Uncaught CartError: no items',
      '12:01:33 app-4fD1.js:1 Uncaught (in promise) CartError: no items',
      '/srv/cart.js:7\n  throw new CartError();\n  ^\n\nCartError: no items\n    at a (/srv/a.js:7:3)\n\nNode.js v26.1.0',
      "CartError: no items\n    at total (/srv/cart.js:7:3) {\n  code: 'EMPTY',\n  errno: -2\n}\n\nNode.js v26.1.0",
      'CartError: no items\n    at total (/srv/cart.js:7:3)\nCaused by: Error: no cart\n    at cart (/srv/a.js:1:2)',
    ].map((text): [string, string[]] => [text, ['"CartError:"', '"no"', '"items"']]),
    ['at total (/srv/cart.js:7:3)', ['"at"', '"total"', '"(/srv/cart.js:7:3)"']],
    ['Uncaught', ['"Uncaught"']],
    ['[Error] ', ['"[Error]"']],
    ['backup failed at 14:30:00', ['"backup"', '"failed"', '"at"', '"14:30:00"']],
    [`cart ${LONG} level:fatal -word`, ['"cart"', `"${LONG}"`, '"level:fatal"', '"-word"']],
    [`url:/${LONG} level:fatal`, [`url=/${LONG}`, 'level=fatal']],
  ])('reads %j', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it.each([
    '-user:"',
    'user:',
    '-"',
    '!at:',
    '"a"',
    'tag:a',
    'tag:a:"',
    '-',
    ' at ',
    'at a/:1',
    ' a@/:1:1',
    '    at ',
    '\n at x',
    '\n x a://b:1',
    '\n Caused by',
    '1 {',
    '1:1\n',
  ])('reads any number of %j in a time that grows with their length', (part) => {
    const text = (size: number) => `user:${part.repeat(Math.ceil(size / part.length))}`;

    expect(growthOf(20_000, (size) => readSearch(text(size)))).toBeLessThan(MAX_GROWTH);
  });
});
