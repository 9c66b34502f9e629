import { kindOf } from './kind.ts';

const page = { platform: 'javascript', request: { url: 'https://shop.example/cart', headers: {} } };
const sdk = (name: string) => ({ sdk: { name: `sentry.javascript.${name}` } });
const runtime = (name: string) => ({ contexts: { runtime: { name } } });

describe('kindOf', () => {
  it.each([
    ['a browser SDK', { ...page, ...sdk('browser') }],
    ['a browser SDK without a request', { platform: 'javascript', ...sdk('vue') }],
    ['React Native', { platform: 'javascript', ...sdk('react-native') }],
    ['a framework’s SDK in a page', { ...page, ...sdk('nextjs') }],
    ['React Router in a page', { ...page, ...sdk('react-router') }],
    ['an unknown SDK in a page', page],
    ['an unknown SDK with a browser', { platform: 'javascript', contexts: { browser: { name: 'Chrome' } } }],
    ['a page with empty facts of a server', { ...page, server_name: '', contexts: { runtime: {} } }],
  ])('is browser for %s', (_name, event) => {
    expect(kindOf(event)).toBe('browser');
  });

  it.each([
    ['Node', { ...page, platform: 'node', ...sdk('node') }],
    ['React Router on Node', { ...page, platform: 'node', ...sdk('react-router') }],
    ['Bun', { ...page, ...sdk('bun'), ...runtime('bun') }],
    ['Deno', { ...page, ...sdk('deno'), ...runtime('deno') }],
    ['Cloudflare', { ...page, ...sdk('cloudflare'), ...runtime('cloudflare') }],
    ['Next.js on Vercel Edge', { ...page, ...sdk('nextjs'), ...runtime('vercel-edge') }],
    ['a server with a name', { ...page, server_name: 'eu-1' }],
    ['a server with a request', { ...page, request: { ...page.request, method: 'POST' } }],
    ['JavaScript without a request', { platform: 'javascript' }],
    [
      'Python with a page in its name',
      { platform: 'python', request: page.request, sdk: { name: 'sentry.python' } },
    ],
    ['an event without a platform', { request: page.request }],
  ])('is server for %s', (_name, event) => {
    expect(kindOf(event)).toBe('server');
  });
});
