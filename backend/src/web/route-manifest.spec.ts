import { join } from 'node:path';
import { ClientFolder } from './client-folder.fixture.ts';
import { readRoutes } from './route-manifest.ts';

describe('readRoutes', () => {
  let folder: ClientFolder;

  beforeEach(() => {
    folder = new ClientFolder();
  });

  afterEach(() => folder.remove());

  it('reads routes.json', () => {
    const routes = [{ path: '/orders/:id', noindex: true, preload: ['assets/a.js'] }, { path: '/help?' }];
    folder.write('routes.json', JSON.stringify({ routes }));

    expect(readRoutes(folder.path, null)).toEqual([...routes, { path: '/' }]);
  });

  it.each([
    ['files', ['/']],
    ['spa', ['/', '/*']],
    [['/orders/:id'], ['/', '/orders/:id']],
  ] as const)('prefers the setting %j to routes.json', (setting, paths) => {
    folder.write('routes.json', '{"routes":[]}');

    expect(readRoutes(folder.path, setting).map(({ path }) => path)).toEqual(paths);
  });

  it('refuses a folder of that name', () => {
    folder.write('routes.json/a', '');

    expect(() => readRoutes(folder.path, null)).toThrow(`${join(folder.path, 'routes.json')} is not a file`);
  });

  it.each([
    ['', ', line 1, column 1: expected valid JSON'],
    ['{"routes":[\n  {"path": /}]}', ', line 2, column 12: expected valid JSON'],
    ['{"routes":[{"path":"/"},]}', ', line 1, column 25: expected valid JSON'],
    ["{'routes':[]}", ', line 1, column 2: expected valid JSON'],
    ['[]', ': expected {"routes":[{"path":"/"}]}'],
    ['{"paths":[]}', ', routes: expected a list of routes'],
    [
      '{"routes":[{"path":"/"},{"path":"orders"}]}',
      ', routes[1].path: expected a path such as /orders/:id or /docs/*',
    ],
    ['{"routes":[{"path":"/a*"}]}', ', routes[0].path: expected a path such as /orders/:id or /docs/*'],
    ['{"routes":[{"path":"/*/a"}]}', ', routes[0].path: expected a path such as /orders/:id or /docs/*'],
    ['{"routes":[{}]}', ', routes[0].path: expected a path such as /orders/:id or /docs/*'],
    ['{"routes":[{"path":"/","noindex":"yes"}]}', ', routes[0].noindex: expected true or false'],
    ['{"routes":[{"path":"/","preload":[1]}]}', ', routes[0].preload[0]: expected the path of a file'],
    ['{"routes":[{"path":"/","noIndex":true}]}', ', routes[0]: Unrecognized key: "noIndex"'],
  ])('names file, position and the expected value for %j', (text, fault) => {
    folder.write('routes.json', text);

    expect(() => readRoutes(folder.path, null)).toThrow(join(folder.path, 'routes.json') + fault);
  });
});
