import { requestPath } from './request-path.ts';

describe('requestPath', () => {
  it.each([
    ['/api/orders/7?x=1', '/api/orders/7'],
    ['/', '/'],
    ['/?next=/a?b', '/'],
    ['//host/a', '//host/a'],
    ['/a%20b', '/a%20b'],
    ['http://shop.example:80/a/b?c', '/a/b'],
    ['http://shop.example?c', '/'],
    ['/a?to=https://shop.example/b', '/a'],
  ])('%s: %s', (originalUrl, path) => {
    expect(requestPath({ originalUrl })).toBe(path);
  });
});
