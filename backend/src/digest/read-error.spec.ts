import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import type { Fault } from './fault.ts';
import { readError } from './read-error.ts';

const root = '/srv/errata';

class OutOfStock extends Error {
  readonly code = 'E_STOCK';
}

const withStack = (error: Error, ...frames: readonly string[]): Error => {
  error.stack = `${error.name}: ${error.message}\n${frames.map((frame) => `    at ${frame}`).join('\n')}`;
  return error;
};

const throwing = new Proxy(() => null, {
  get() {
    throw new Error('get');
  },
  ownKeys() {
    throw new Error('ownKeys');
  },
  getPrototypeOf() {
    throw new Error('getPrototypeOf');
  },
});

describe('readError', () => {
  it('reads class, code, message and own frames of an error', () => {
    const error = withStack(
      new OutOfStock('no item 7'),
      'Shop.find (/srv/errata/dist/shop.js:1:2)',
      'node:internal/x:1:2',
    );

    expect(readError(error, root)).toEqual({
      type: 'OutOfStock',
      code: 'E_STOCK',
      message: 'no item 7',
      frames: [{ file: 'shop', function: 'find' }],
      cause: null,
      members: [],
      ownDigest: null,
    });
  });

  it('reads an error of another realm like one of its own', () => {
    const foreign: unknown = runInNewContext('new RangeError("far away")');

    expect(readError(foreign, root)).toMatchObject({ type: 'RangeError', message: 'far away' });
  });

  it.each([
    ['out of paper', 'string', 'out of paper'],
    ['', 'string', ''],
    [42, 'number', '42'],
    [10n, 'bigint', '10'],
    [Symbol('x'), 'symbol', 'Symbol(x)'],
    [true, 'boolean', 'true'],
    [null, 'null', ''],
    [undefined, 'undefined', ''],
    [{ message: 'plain' }, 'Object', 'plain'],
    [{ status: 500, body: {} }, 'Object', 'keys body, status'],
    [
      { message: 7, stack: 7, code: 7, name: 7, digest: 7 },
      'Object',
      'keys code, digest, message, name, stack',
    ],
    [[1, 2], 'Array', ''],
    [Object.create(null), '', ''],
  ])('reads the thrown %p as %s with the message %j', (thrown: unknown, type, message) => {
    expect(readError(thrown, root)).toEqual({
      type,
      code: null,
      message,
      frames: [],
      cause: null,
      members: [],
      ownDigest: null,
    });
  });

  it('follows causes to a depth of three', () => {
    const deepest = new Error('4', { cause: new Error('5') });
    const fault = readError(
      new Error('1', { cause: new Error('2', { cause: new Error('3', { cause: deepest }) }) }),
      root,
    );

    expect(fault.cause?.cause?.cause?.message).toBe('4');
    expect(fault.cause?.cause?.cause?.cause).toBeNull();
  });

  it('ends a circle of causes where it closes', () => {
    const outer = new Error('outer');
    const inner = new Error('inner', { cause: outer });
    outer.cause = inner;

    expect(readError(outer, root).cause?.cause).toBeNull();
  });

  it('reads the errors of an AggregateError as its members, beside its cause', () => {
    const inner = new AggregateError([new Error('three')], 'inner failed');
    const errors = [new Error('one'), 'no error', inner];
    const error = new AggregateError(errors, 'all failed', { cause: 'offline' });

    expect(readError(error, root)).toMatchObject({
      type: 'AggregateError',
      message: 'all failed',
      cause: { type: 'string', message: 'offline' },
      members: [{ message: 'one' }, { message: 'inner failed', members: [{ message: 'three' }] }],
    });
  });

  it('reads 50 members of a group of groups that holds itself', () => {
    const error: AggregateError = new AggregateError([], 'all failed');
    const inner = Array.from({ length: 40 }, () => new AggregateError([error, new Error('leaf')], 'inner'));
    error.errors = [error, ...inner];
    const count = (members: readonly Fault[]): number =>
      members.reduce((sum, fault) => sum + 1 + count(fault.members), 0);

    expect(count(readError(error, root).members)).toBe(50);
  });

  it.each(['2338927374', 'NEXT_NOT-found', 'a'.repeat(64)])('keeps the own digest %s', (digest) => {
    expect(readError(Object.assign(new Error('x'), { digest }), root).ownDigest).toBe(digest);
  });

  it.each(['', 'two words', 'a'.repeat(65), 'a\n', 'é', 7, null])('keeps no own digest %j', (digest) => {
    expect(readError(Object.assign(new Error('x'), { digest }), root).ownDigest).toBeNull();
  });

  it('survives a Proxy whose every trap throws', () => {
    expect(readError(throwing, root)).toMatchObject({ type: '', message: '', frames: [] });
    expect(readError({ cause: throwing, message: 'x' }, root).cause).toMatchObject({ type: '' });
  });

  it('survives getters that throw and keeps what the others gave', () => {
    const error = Object.defineProperty(new OutOfStock('still here'), 'stack', {
      get() {
        throw new Error('no stack');
      },
    });

    expect(readError(error, root)).toMatchObject({ type: 'OutOfStock', message: 'still here', frames: [] });
  });

  it('never throws and returns the same twice, for any thrown value', () => {
    const thrown = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
    });
    const errorLike = fc.record(
      {
        name: thrown,
        message: thrown,
        stack: thrown,
        code: thrown,
        cause: thrown,
        digest: thrown,
        constructor: thrown,
      },
      { requiredKeys: [] },
    );

    fc.assert(
      fc.property(fc.oneof(thrown, errorLike), (value) => {
        expect(readError(value, root)).toEqual(readError(value, root));
      }),
    );
  });
});
