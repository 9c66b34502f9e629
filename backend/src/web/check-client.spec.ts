import { join } from 'node:path';
import { checkClient } from './check-client.ts';
import { ClientFolder } from './client-folder.fixture.ts';

describe('checkClient', () => {
  let folder: ClientFolder;

  beforeEach(() => {
    folder = new ClientFolder({
      'file/index.html': 'a',
      'other/a.js': '',
      'page/index.html/a.js': '',
      'empty/index.html': '',
      'routes/index.html': 'a',
      'routes/routes.json/a.js': '',
    });
  });

  afterEach(() => folder.remove());

  it.each([
    ['missing', ' does not exist'],
    ['file/index.html', ' is not a folder'],
    ['other', '/index.html does not exist'],
    ['page', '/index.html is not a file'],
    ['empty', '/index.html is empty'],
    ['routes', '/routes.json is not a file'],
  ])('refuses the folder %s: it%s', (path, fault) => {
    const clientDir = join(folder.path, path);

    expect(() => checkClient(clientDir, null)).toThrow(clientDir + fault);
  });

  it('takes a folder with an index.html', () => {
    expect(() => checkClient(join(folder.path, 'file'), null)).not.toThrow();
  });
});
