import { originForm } from './request-target.ts';

describe('originForm', () => {
  it.each([
    ['/tunnel?a=1', '/tunnel?a=1'],
    ['//api/1/envelope/', '//api/1/envelope/'],
    ['/go?to=http://other.example/x', '/go?to=http://other.example/x'],
    ['http://errata.example/tunnel?a=1', '/tunnel?a=1'],
    ['HTTPS://errata.example:8443/tunnel', '/tunnel'],
    ['http://errata.example', '/'],
    ['http://errata.example?a=1', '/?a=1'],
    ['*', '*'],
  ])('returns of %s: %s', (target, expected) => {
    expect(originForm(target)).toBe(expected);
  });
});
