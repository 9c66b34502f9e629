import { namesIn, namesInText } from '../event/names-in.ts';
import { KNOWN_EVENTS } from './known-events.fixture.ts';
import { normalEvent } from './normal-event.ts';
import { valuesOf } from './values.ts';

const error = { type: 'E', value: 'x' };
const trace = (file: string) => ({ stacktrace: { frames: [{ filename: file }] } });

describe('normalEvent', () => {
  it.each(Object.entries(KNOWN_EVENTS))('leaves %s as it is', (_name, event) => {
    expect(normalEvent(event)).toEqual(event);
  });

  it.each([
    ['an object with values', { values: [error] }, [error]],
    ['a list', [error, error], [error, error]],
    ['a single object', error, [error]],
    ['a single object as values', { values: error }, [error]],
    ['a list with other things', [null, 7, 'x', error], [error]],
    ['nothing', {}, []],
    ['a text', 'x', []],
  ])('makes a list of %s', (_name, sent, values) => {
    expect(normalEvent({ exception: sent })).toEqual({ exception: { values } });
    expect(valuesOf(sent)).toEqual(values);
  });

  it.each([
    ['sentry.interfaces.Exception', [error], { exception: { values: [error] } }],
    ['sentry.interfaces.Message', { message: 'a' }, { logentry: { message: 'a' } }],
    ['sentry.interfaces.Stacktrace', { frames: [] }, { stacktrace: { frames: [] } }],
    ['sentry.interfaces.User', { id: 7 }, { user: { id: 7 } }],
    ['sentry.interfaces.Http', { url: '/a' }, { request: { url: '/a' } }],
    ['sentry.interfaces.Breadcrumbs', [{}], { breadcrumbs: [{}] }],
    ['sentry.interfaces.Contexts', { os: {} }, { contexts: { os: {} } }],
  ])('gives %s its current name', (name, value, event) => {
    expect(normalEvent({ [name]: value })).toEqual(event);
  });

  it('prefers the current name, also of the stack of an exception', () => {
    const sent = { 'sentry.interfaces.User': { id: 7 }, user: { id: 8 } };
    const exception = [{ ...error, 'sentry.interfaces.Stacktrace': { frames: [{ filename: 'a' }] } }];

    expect(normalEvent({ ...sent, exception })).toEqual({
      user: { id: 8 },
      exception: { values: [{ ...error, ...trace('a') }] },
    });
  });

  it('finds the person of an old event for erasure', () => {
    expect(namesIn({ 'sentry.interfaces.User': { email: 'ann@shop.example' } })).toEqual([
      'ann@shop.example',
    ]);
  });

  it('finds a person by all digits in JSON that cannot be parsed', () => {
    expect(namesInText('{"user":{"id": 1100000000000000001,')).toEqual(['1100000000000000001']);
  });

  it.each([
    [{ code: 'E', detail: ['a'] }, '{"code":"E","detail":["a"]}'],
    [{ b: 1, a: { d: 1, c: 2 } }, '{"a":{"c":2,"d":1},"b":1}'],
    [['a', 1], '["a",1]'],
    [7.5, '7.5'],
    [false, 'false'],
    ['text', 'text'],
    [null, null],
  ])('makes a text of the value %j', (value, text) => {
    expect(normalEvent({ exception: [{ type: 7, value }] })).toMatchObject({
      exception: { values: [{ type: '7', value: text }] },
    });
  });

  it.each([
    ['the event', { exception: [error], ...trace('a') }],
    [
      'its own thread',
      {
        exception: [{ ...error, thread_id: 2 }],
        threads: [
          { id: 1, crashed: true, ...trace('b') },
          { id: 2, ...trace('a') },
        ],
      },
    ],
    [
      'the crashed thread',
      {
        exception: [error],
        threads: [
          { current: true, ...trace('b') },
          { crashed: true, ...trace('a') },
        ],
      },
    ],
    ['the current thread', { exception: [error], threads: [trace('b'), { current: true, ...trace('a') }] }],
    ['the only thread', { exception: [error], threads: { values: [trace('a')] } }],
  ])('gives an exception without a stack the one of %s', (_name, event) => {
    const { stacktrace, ...others } = normalEvent(event);

    expect(stacktrace).toBeUndefined();
    expect(others).toMatchObject({ exception: { values: [{ ...error, ...trace('a') }] } });
  });

  it.each([
    ['two threads, none of them marked', { threads: [trace('b'), trace('b')] }],
    ['a crashed thread without a stack', { threads: [trace('b'), { crashed: true }] }],
  ])('takes no stack from %s', (_name, event) => {
    expect(normalEvent({ message: 'x', ...event })['stacktrace']).toBeUndefined();
  });

  it('gives a message the stack of the current thread, and leaves an exception its own', () => {
    const threads = { values: [{ current: true, ...trace('b') }] };
    const exception = { values: [{ ...error, ...trace('a') }, error] };

    expect(normalEvent({ message: 'x', threads })).toMatchObject(trace('b'));
    expect(normalEvent({ exception, threads })).toEqual({ exception, threads });
  });

  it.each([
    [{ message: { formatted: 'a' } }, { logentry: { formatted: 'a' } }],
    [{ message: { message: '%s', params: ['a'] } }, { logentry: { message: '%s', params: ['a'] } }],
    [
      { message: { message: 'old' }, logentry: { message: 'a', formatted: null } },
      { logentry: { message: 'a' } },
    ],
    [{ logentry: 'a' }, { logentry: { formatted: 'a' }, message: null }],
    [{ message: ['a', 7] }, { logentry: { formatted: null }, message: '["a",7]' }],
    [{ message: false }, { logentry: { formatted: null }, message: null }],
  ])('reads the message of %j', (sent, event) => {
    expect(normalEvent(sent)).toEqual(event);
  });

  it('does not change its argument and reads its own result alike', () => {
    const sent = Object.freeze({ exception: Object.freeze([error]), threads: trace('a'), message: 7 });
    const normal = normalEvent(sent);

    expect(normalEvent(normal)).toEqual(normal);
    expect(sent).toEqual({ exception: [error], threads: trace('a'), message: 7 });
  });
});
