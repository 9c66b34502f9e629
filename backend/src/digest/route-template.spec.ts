import fc from 'fast-check';
import { routeTemplate } from './route-template.ts';

describe('routeTemplate', () => {
  it.each([
    ['/orders/4711/items?x=1#top', '/orders/<n>/items'],
    ['/orders/c0ffee12-3456-789a-bcde-f0123456789a', '/orders/<n>'],
    ['/orders/deadbeef/', '/orders/<n>'],
    ['/users/ann@example.com', '/users/<n>'],
    ['/files/my%20report', '/files/<n>'],
    ['/share/aBcDeFgHiJkLmNoPqRsTuV', '/share/<n>'],
    ['https://shop.example:8443/orders/list?x', '/orders/list'],
    ['//orders///list', '/orders/list'],
    ['/demo/server-error', '/demo/server-error'],
    ['/', '/'],
    ['', '/'],
    ['?x=1', '/'],
  ])('of %s is %s', (path, template) => {
    expect(routeTemplate(path)).toBe(template);
  });

  it('never throws, starts with a slash and is bounded for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (path) =>
        expect(routeTemplate(path)).toMatch(/^\/[^]{0,199}$/),
      ),
    );
  });
});
