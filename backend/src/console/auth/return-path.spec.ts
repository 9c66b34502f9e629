import { returnPath } from './return-path.ts';

describe('returnPath', () => {
  it.each([
    '/console',
    '/console/e/7K3M-9QXD',
    '/console/issues?q=release%3A1&sort=last#top',
    '/console?q=x',
  ])('leads to %s', (to) => {
    expect(returnPath(to)).toBe(to);
  });

  it.each([
    'https://evil.example/console',
    '//evil.example/console',
    '/\\evil.example/console',
    '/\t/evil.example/console',
    'http://console.invalid:81/console',
    'javascript:alert(1)',
    '/console/../demo',
    '/console/%2e%2e/demo',
    '/consoles',
    '/console/api/session',
    '/console/sign-in?problem=denied',
    '/demo',
    '',
    `/console?q=${'x'.repeat(3_000)}`,
    undefined,
    ['/console/issues'],
  ])('leads to the start instead of %j', (to) => {
    expect(returnPath(to)).toBe('/console');
  });
});
