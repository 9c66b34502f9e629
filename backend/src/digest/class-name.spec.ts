import { className } from './class-name.ts';

describe('className', () => {
  it.each([
    ['OutOfStock', 'Error', 'OutOfStock'],
    ['SubError', 'BaseError', 'SubError'],
    ['Error', 'ValidationError', 'ValidationError'],
    ['DOMException', 'AbortError', 'AbortError'],
    ['NodeError', 'TypeError', 'TypeError'],
    ['Error', 'Error', 'Error'],
    ['Error', '', 'Error'],
    ['e', 'PaymentError', 'PaymentError'],
    [null, 'Error', 'Error'],
    ['Object', null, 'Object'],
    [null, null, ''],
  ])('of the constructor %j and the name %j is %s', (constructorName, name, type) => {
    expect(className(constructorName, name)).toBe(type);
  });
});
