import { startReporting } from './react-package.tsx';

it('does nothing where it is rendered on a server', () => {
  expect(() => startReporting({ dsn: 'https://key@errata.example/1' })).not.toThrow();
});
