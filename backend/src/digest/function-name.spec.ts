import { functionName } from './function-name.ts';

describe('functionName', () => {
  /** What node 26.10 wrote for one frame, without and with --enable-source-maps. */
  it.each([
    ['new Shop', 'new Shop', 'Shop'],
    ['Shop.find', 'Shop.find', 'find'],
    ['Shop.later', 'async Shop.later', 'later'],
    ['get total', 'Shop.get total', 'total'],
    ['set total', 'Shop.set total', 'total'],
    ['#secret', 'Shop.#secret', 'secret'],
    ['[Symbol.iterator]', 'It.[Symbol.iterator]', 'iterator'],
    ['Object.outer [as alias]', 'Object.outer', 'outer'],
    ['<instance_members_initializer>', 'Init.<instance_members_initializer>', null],
    ['<static_initializer>', 'S.<static_initializer>', null],
    ['Shop.<anonymous>', 'Shop.<anonymous>', null],
    [null, '<anonymous>', null],
    ['a.b', 'It.a.b', 'b'],
    ['with space', 'It.with space', 'space'],
    ['x (y', 'It.x (y', 'y'],
    ['nul.f', 'Object.nul.f', 'f'],
    ['anonHolder.list', 'Array.anonHolder.list', 'list'],
    ['Timeout._onTimeout', 'Timeout._onTimeout', '_onTimeout'],
  ])('is the same for %j and %j', (plain, withSourceMaps, name) => {
    expect(functionName(plain)).toBe(name);
    expect(functionName(withSourceMaps)).toBe(name);
  });

  it('is the same for a method called on its class, on a subclass and detached', () => {
    expect(['Shop.load', 'SubShop.load', 'load'].map(functionName)).toEqual(['load', 'load', 'load']);
  });

  it.each(['?', '', ' ', '<computed>', 'anonymous', 'eval', '(anonymous function)', '...'])(
    'is null for %j',
    (raw) => {
      expect(functionName(raw)).toBeNull();
    },
  );
});
