import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClientFolder } from '../web/client-folder.fixture.ts';
import { listFiles } from './list-files.ts';

describe('listFiles', () => {
  let folder: ClientFolder;

  beforeEach(() => {
    folder = new ClientFolder();
  });

  afterEach(() => folder.remove());

  const list = () => listFiles(folder.path).toSorted();

  it('lists files of all folders', () => {
    folder.write('assets/deep/app.js', '');

    expect(list()).toEqual(['assets/deep/app.js', 'index.html']);
  });

  it('skips names with a dot, but for .well-known at the root', () => {
    for (const path of [
      '.env',
      '.git/config',
      'assets/.hidden.js',
      'assets/.well-known/a',
      '.well-known/.secret',
    ])
      folder.write(path, '');
    folder.write('.well-known/security.txt', '');

    expect(list()).toEqual(['.well-known/security.txt', 'index.html']);
  });

  it('follows the links of a ConfigMap volume', () => {
    folder.write('..2026_01_01/config.json', '{}');
    folder.write('..2026_01_01/themes/dark.css', '');
    folder.link('..data', '..2026_01_01');
    folder.link('config.json', '..data/config.json');
    folder.link('themes', '..data/themes');

    expect(list()).toEqual(['config.json', 'index.html', 'themes/dark.css']);
  });

  it('follows links out of the folder', () => {
    mkdirSync(join(folder.parent, 'mounted'));
    writeFileSync(join(folder.parent, 'mounted', 'config.json'), '{}');
    folder.link('config.json', '../mounted/config.json');
    folder.link('mounted', '../mounted');

    expect(list()).toEqual(['config.json', 'index.html', 'mounted/config.json']);
  });

  it('ends at links in a circle, to itself and to nothing', () => {
    folder.write('a/app.js', '');
    folder.link('a/up', '..');
    folder.link('a/here', '.');
    folder.link('self', 'self');
    folder.link('lost', 'nowhere');

    expect(list()).toEqual(['a/app.js', 'index.html']);
  });

  it('ends where each of many folders links to all others', () => {
    const names = Array.from({ length: 12 }, (_, index) => `folder-${index}`);
    for (const name of names) folder.write(`${name}/app.js`, '');
    for (const name of names) for (const other of names) folder.link(`${name}/${other}`, `../${other}`);

    const files = list();

    expect(files).toEqual(expect.arrayContaining(names.map((name) => `${name}/app.js`)));
    expect(files.length).toBeLessThanOrEqual(12 * 17 + 1);
  });
});
