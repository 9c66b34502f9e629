import { ownFrames } from './own-frames.ts';

const root = '/srv/errata';
const own = (file: string, name: string) => ({ file: `${root}/dist/${file}.js`, function: name });
const library = (name: string) => ({ file: `${root}/node_modules/${name}/index.js`, function: 'call' });

describe('ownFrames', () => {
  it('keeps the three innermost own frames, whatever libraries and built-ins stand between', () => {
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
