import { runInNewContext } from 'node:vm';
import { digestOf } from './digest.ts';
import { engineMessage, engineType } from './engine-message.ts';
import { LANGUAGE_MESSAGES, type Message } from './engine-message-language.fixture.ts';
import { WEB_MESSAGES } from './engine-message-web.fixture.ts';
import { readError } from './read-error.ts';

const TABLE = [...WEB_MESSAGES, ...LANGUAGE_MESSAGES];

/** Returns the digest of a message thrown in one place. */
function digestIn([type, message]: Message): string {
  const frames = [{ file: 'app/cart', function: 'total' }];
  return digestOf({ ...readError({ message }, '/'), type, frames }, { route: null }).shown;
}

it.each(TABLE)('gives %s the digest %s in V8, Gecko and JSC', (_action, digest, v8, gecko, jsc) => {
  expect([v8, gecko, jsc].map((messages) => [...new Set(messages.map(digestIn))])).toEqual([
    [digest],
    [digest],
    [digest],
  ]);
});

it('gives each action a digest of its own, but for DOMExceptions of one name', () => {
  const digests = TABLE.map(([, digest]) => digest);

  expect(new Set(digests).size).toBe(digests.length);
});

it.each<[string, () => unknown]>([
  ['JSON.parse of a page', () => JSON.parse('<!doctype html>')],
  ['JSON.parse of nothing', () => JSON.parse('')],
  ['JSON.parse of a cut object', () => JSON.parse('{"a":1')],
  ['JSON.parse of a cut array', () => JSON.parse('[1')],
  ['JSON.parse of a cut string', () => JSON.parse('{"a":"b')],
  ['JSON.parse of two values', () => JSON.parse('{} {}')],
  ['JSON.parse with a comma too much', () => JSON.parse('{"a":1,}')],
  ['a string too long', () => 'a'.repeat(2 ** 30)],
  ['an invalid length of an array', () => Reflect.construct(Array, [-1])],
  ['an invalid date', () => new Date(Number.NaN).toISOString()],
  ['an invalid URI', () => decodeURIComponent('%')],
  ['a write to what is read-only', () => Object.assign(Object.freeze({ id: 1 }), { id: 2 })],
  ['a new property of a frozen object', () => Object.assign(Object.freeze({}), { id: 2 })],
  ['in', () => runInNewContext('"id" in "x"')],
])('is that of this Node for %s', (action, run) => {
  let thrown: unknown;
  try {
    run();
  } catch (error) {
    thrown = error;
  }

  const { name, message } = thrown as Error;
  expect(digestIn([name, message])).toBe(TABLE.find(([each]) => each === action)?.[1]);
});

it.each<Message>([
  ['NotFoundError', 'Order 4711 was not found'],
  ['NotFoundError', 'OrderStore.find: there is no such order'],
  ['OrderError', 'The operation timed out.'],
  ['AbortError', 'This operation was aborted'],
  ['TimeoutError', 'The operation was aborted due to timeout'],
  ['SyntaxError', 'Unexpected token in the recipe'],
  ['TypeError', 'The cart is null and void'],
  ['Error', 'Load failed'],
  ['InternalError', 'no connection'],
])('takes no message of an application or of Node for one of a browser: %s, %j', (type, text) => {
  expect(engineMessage(type, text)).toBeNull();
  expect(engineType(type, text)).toBe(type);
});

it('keeps a request and the import of a chunk apart', () => {
  const ends = ['', ' dynamically imported module: https://shop.example/assets/a-AbCd1234.js'];

  const digests = ends.map((end) => digestIn(['TypeError', `Failed to fetch${end}`]));

  expect(digests[0]).not.toBe(digests[1]);
});
