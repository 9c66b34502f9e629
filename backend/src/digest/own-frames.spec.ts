import { functionName, ownFrames } from './own-frames.ts';

const root = '/srv/errata';
const own = (file: string, name: string) => ({ file: `${root}/dist/${file}.js`, function: name });
const library = (name: string) => ({ file: `${root}/node_modules/${name}/index.js`, function: 'call' });

describe('ownFrames', () => {
  it('keeps the three innermost own frames, with any libraries and built-ins between', () => {
    const raw = [
      { file: 'node:internal/fs', function: 'open' },
      own('store/read', 'Store.read'),
      { file: '<anonymous>', function: 'Array.map' },
      own('store/all', 'all'),
      library('kysely'),
      own('orders/load', 'load'),
      own('main', 'start'),
    ];

    expect(ownFrames(raw, root)).toEqual([
      { file: 'store/read', function: 'read' },
      { file: 'store/all', function: 'all' },
      { file: 'orders/load', function: 'load' },
    ]);
  });

  it('collapses consecutive repeats, so that the depth of a recursion does not count', () => {
    const raw = [
      own('tree', 'walk'),
      own('tree', 'walk'),
      library('lodash'),
      own('tree', 'walk'),
      own('main', 'start'),
    ];

    expect(ownFrames(raw, root)).toEqual([
      { file: 'tree', function: 'walk' },
      { file: 'main', function: 'start' },
    ]);
  });

  it.each(['express', 'router', '@nestjs/core', 'react-dom'])(
    'ends at %s below an own frame: the middlewares under it show only before the first await',
    (framework) => {
      const beforeAwait = [own('orders', 'load'), library(framework), own('request-id', 'use')];
      const afterAwait = [own('orders', 'load'), library(framework)];

      expect(ownFrames(beforeAwait, root)).toEqual(ownFrames(afterAwait, root));
    },
  );

  it('passes over a framework that threw by itself', () => {
    expect(ownFrames([library('@nestjs/core'), own('orders', 'load')], root)).toEqual([
      { file: 'orders', function: 'load' },
    ]);
  });

  it('looks at 50 frames at most', () => {
    const libraries = Array.from({ length: 50 }, () => library('lodash'));

    expect(ownFrames([...libraries, own('main', 'start')], root)).toEqual([]);
  });
});

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
