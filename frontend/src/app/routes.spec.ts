import { routes } from './routes.tsx';

it('lists every page once, in the words the server reads', () => {
  expect(routes.map(({ path, demo = false, noindex = false }) => [path, demo, noindex])).toEqual([
    ['/', false, false],
    ['/demo/client-error', true, true],
    ['/demo/failed-request', true, true],
    ['/console', false, true],
    ['/console/e/:digest', false, true],
    ['/console/issues', false, true],
    ['/console/live', false, true],
    ['/console/delivery', false, true],
    ['/console/setup', false, true],
    ['/console/account', false, true],
    ['/console/sign-in', false, true],
  ]);
});
