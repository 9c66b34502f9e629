import type { IncomingMessage } from 'node:http';
import { enterBasePath, type MountedRequest } from './base-path.ts';

function requestOf(url: string): MountedRequest {
  return { url } as IncomingMessage;
}

describe('enterBasePath', () => {
  it.each([
    ['/errata', '/'],
    ['/errata/', '/'],
    ['/errata?a=1', '/?a=1'],
    ['/errata/tunnel?a=1', '/tunnel?a=1'],
    ['/errata//console', '//console'],
    ['http://shop.example/errata/console', '/console'],
  ])('takes it from %s and leaves %s', (url, rest) => {
    const request = requestOf(url);

    expect(enterBasePath(request, '/errata')).toBe(true);
    expect([request.url, request.baseUrl]).toEqual([rest, '/errata']);
    expect(`http://shop.example${request.originalUrl ?? ''}`).toBe(new URL(url, 'http://shop.example').href);
  });

  it.each(['/', '/console', '/erratas', '/Errata', '//errata', '/x/../errata', '*', ''])(
    'finds %s outside, and changes nothing',
    (url) => {
      const request = requestOf(url);

      expect(enterBasePath(request, '/errata')).toBe(false);
      expect(request).toEqual({ url });
    },
  );

  it('changes nothing without a base path', () => {
    const request = requestOf('/console');

    expect(enterBasePath(request, '')).toBe(true);
    expect(request).toEqual({ url: '/console' });
  });
});
