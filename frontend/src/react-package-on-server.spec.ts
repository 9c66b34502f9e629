import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { recordConsole } from './errors/recorded-console.fixture.ts';
import { ErrorPage, reportError, startReporting } from './react-package.tsx';

it('does nothing where it is rendered on a server', () => {
  expect(() => startReporting({ dsn: 'https://key@errata.example/1' })).not.toThrow();
});

it('renders the sentence alone on a server, where no page says which help it has', () => {
  const html = renderToString(createElement(ErrorPage, { error: new Error('failed'), help: {} }));

  expect(html).toMatch(/information\)\.<\/h1><\/div><\/main>$/);
});

it('prints no reference on a server: nothing is sent that it could find', () => {
  const printed = recordConsole();
  const error = Object.assign(new Error('failed'), { digest: '7KQ4-M2XD' });

  reportError(error);

  expect(printed).toEqual([['Application error\nDigest: 7KQ4-M2XD\n', error]]);
});
