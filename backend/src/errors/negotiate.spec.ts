import { negotiate } from './negotiate.ts';

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('negotiate', () => {
  it.each([
    ['a script never gets HTML', { accept: HTML, 'sec-fetch-dest': 'script' }, '/assets/x', 'text'],
    ['nor does an image', { accept: 'image/avif,*/*', 'sec-fetch-dest': 'image' }, '/x', 'text'],
    ['JSON asked for', { accept: 'application/json' }, '/anything', 'problem'],
    ['problem+json asked for', { accept: 'application/problem+json' }, '/anything', 'problem'],
    ['an API path without a wish', { accept: '*/*' }, '/api/nope', 'problem'],
    ['the console API without a wish', {}, '/console/api/issues', 'problem'],
    ['an API path opened in a browser', { accept: HTML, 'sec-fetch-dest': 'document' }, '/api/nope', 'html'],
    ['a navigation', { accept: HTML, 'sec-fetch-dest': 'document' }, '/nope', 'html'],
    ['a navigation to a file name', { accept: HTML, 'sec-fetch-dest': 'document' }, '/nope.pdf', 'html'],
    ['HTML and JSON asked for', { accept: 'text/html, application/json' }, '/nope', 'html'],
    ['curl on a page', { accept: '*/*' }, '/nope', 'html'],
    ['no Accept on a page', {}, '/nope', 'html'],
    ['curl on a file', { accept: '*/*' }, '/assets/nope.js', 'text'],
    ['something else asked for', { accept: 'application/xml' }, '/nope', 'text'],
    ['a path that only begins like the API', { accept: '*/*' }, '/apiary', 'html'],
  ] as const)('%s', (_, headers, path, form) => {
    expect(negotiate(headers, path)).toBe(form);
  });
});
