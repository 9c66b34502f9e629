import { namesHtml, negotiate } from './negotiate.ts';

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
    ['a program', { accept: '*/*' }, '/nope', 'problem'],
    ['a program without Accept', {}, '/nope', 'problem'],
    ['an old browser', { accept: HTML }, '/nope', 'html'],
    ['a page that loads HTML', { accept: 'text/html', 'sec-fetch-dest': 'empty' }, '/nope', 'html'],
    ['a program, for a file that is missing', { accept: '*/*' }, '/assets/nope.js', 'text'],
    ['something else asked for', { accept: 'application/xml' }, '/nope', 'text'],
    [
      'the text of an API that excludes JSON',
      { accept: 'application/json;q=0, text/plain' },
      '/api/nope',
      'text',
    ],
    ['HTML excluded', { accept: 'text/html;q=0, application/json' }, '/nope', 'problem'],
    ['HTML excluded, anything else taken', { accept: 'text/html; q=0.0, */*' }, '/nope', 'text'],
    ['HTML excluded by its group', { accept: 'TEXT/*;Q=0, */*' }, '/nope', 'text'],
    ['everything excluded', { accept: '*/*;q=0' }, '/nope', 'text'],
    ['JSON excluded on an API path', { accept: 'application/*;q=0, */*' }, '/api/nope', 'text'],
    [
      'problem details excluded',
      { accept: 'application/json, application/problem+json;q=0' },
      '/nope',
      'text',
    ],
    ['JSON preferred', { accept: 'text/html;q=0.4, application/vnd.api+json;q=0.5' }, '/nope', 'problem'],
    ['HTML preferred', { accept: 'application/json;q=0.4, text/html;q=0.5' }, '/api/nope', 'html'],
    ['any application type asked for', { accept: 'application/*' }, '/nope', 'problem'],
    ['HTML inside a quoted parameter', { accept: 'a/b;title="x, text/html"' }, '/nope', 'text'],
    ['an empty Accept', { accept: '' }, '/nope', 'problem'],
    ['a path that only begins like the API', { accept: 'image/png' }, '/apiary', 'text'],
  ] as const)('%s', (_, headers, path, form) => {
    expect(negotiate(headers, path, true)).toBe(form);
  });

  it.each([
    'worker',
    'sharedworker',
    'serviceworker',
    'audioworklet',
    'json',
    'manifest',
    'track',
    'video',
    'xslt',
    'later',
  ])('sends no HTML to a request for a part of a page: %s', (destination) => {
    expect(negotiate({ accept: '*/*', 'sec-fetch-dest': destination }, '/nope', false)).toBe('text');
    expect(negotiate({ accept: HTML, 'sec-fetch-dest': destination }, '/api/nope', false)).toBe('text');
  });

  it.each(['iframe', 'frame', 'fencedframe', 'embed', 'object'])(
    'sends HTML to a frame, which shows it to a person: %s',
    (destination) => {
      expect(negotiate({ accept: '*/*', 'sec-fetch-dest': destination }, '/nope.pdf', true)).toBe('html');
    },
  );

  it.each(['/nope', '/nope.pdf', '/api/nope'])('sends problem details to a fetch of a page: %s', (path) => {
    expect(negotiate({ accept: '*/*', 'sec-fetch-dest': 'empty' }, path, false)).toBe('problem');
  });
});

describe('namesHtml', () => {
  it.each([
    [HTML, true],
    ['text/html;q=0, */*', false],
    ['*/*', false],
    ['text/htmlx', false],
  ])('%s: %s', (accept, expected) => {
    expect(namesHtml(accept)).toBe(expected);
  });
});
