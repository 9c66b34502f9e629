import { fileOf, routeOf, sourceOf, targetOf } from './report-places.ts';

describe('targetOf', () => {
  it.each([
    ['https://Evil.example/a/b.js?token=1#x', 'https://evil.example'],
    ['https://user:secret@evil.example:8443/', 'https://evil.example:8443'],
    ['wss://live.example/socket', 'wss://live.example'],
    ['inline', 'inline'],
    ['trusted-types-sink', 'trusted-types-sink'],
    ['data:text/html,<b>secret</b>', 'data'],
    ['data', 'data'],
    ['blob:https://shop.example/4f0c', 'blob'],
    ['chrome-extension://abcdef/inject.js', 'chrome-extension'],
    ['no url?at=all', 'no url'],
    ['two\nlines', 'two lines'],
    ['', null],
    [undefined, null],
    [{ href: 'https://a.example' }, null],
  ])('returns for %j %j', (value, expected) => {
    expect(targetOf(value)).toBe(expected);
  });

  it('cuts a text that is no URL', () => {
    expect(targetOf('x'.repeat(5_000))).toHaveLength(100);
  });
});

describe('fileOf', () => {
  it.each([
    ['https://user:secret@shop.example/app.js?token=1#x', 'https://shop.example/app.js'],
    ['https://shop.example', 'https://shop.example/'],
    ['chrome-extension', 'chrome-extension'],
    ['app.js?v=1', 'app.js'],
    ['', null],
    [7, '7'],
    [null, null],
  ])('shows %j as %j', (value, expected) => {
    expect(fileOf(value)).toBe(expected);
  });
});

describe('routeOf', () => {
  it.each([
    ['https://shop.example/orders/4711?token=1', '/orders/<n>'],
    ['/orders/4711/', '/orders/<n>'],
    ['about:blank', '/blank'],
    [null, ''],
  ])('returns for %j %j', (url, expected) => {
    expect(routeOf(url)).toBe(expected);
  });
});

describe('sourceOf', () => {
  const PAGE = 'https://shop.example/orders/4711';

  it.each([
    ['the page’s own script in any build', 'https://shop.example/assets/index-ab12CD34.js', '/assets/index'],
    ['the same of another build', 'https://shop.example/assets/index-xY98zW76.js', '/assets/index'],
    ['the page itself', PAGE, '/orders/<n>'],
    ['a script from elsewhere', 'https://cdn.example/v1.2.3/tag.js', 'https://cdn.example/<n>/tag'],
    ['an extension', 'moz-extension://9d3c2f10-aaaa/content.js', '/moz-extension'],
    ['an extension whose id the browser hides', 'moz-extension', '/moz-extension'],
    ['a name', 'app.js', '/app'],
    ['nothing', null, ''],
  ])('names %s', (_name, file, expected) => {
    expect(sourceOf(file, PAGE)).toBe(expected);
  });

  it('is the same wherever the application runs', () => {
    const at = (host: string) => sourceOf(`https://${host}/assets/app.js`, `https://${host}/cart`);

    expect(at('shop.example')).toBe(at('staging.shop.example'));
  });
});
