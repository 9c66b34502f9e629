import { recordConsole } from './errors/recorded-console.fixture.ts';
import { reportError, startReporting } from './react-package.tsx';

it('does nothing where it is rendered on a server', () => {
  expect(() => startReporting({ dsn: 'https://key@errata.example/1' })).not.toThrow();
});

it('prints no reference on a server: nothing is sent that it could find', () => {
  const printed = recordConsole();
  const error = Object.assign(new Error('failed'), { digest: '7KQ4-M2XD' });

  reportError(error);

  expect(printed).toEqual([['Application error\nDigest: 7KQ4-M2XD\n', error]]);
});
