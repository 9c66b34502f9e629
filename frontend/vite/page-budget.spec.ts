import { randomBytes } from 'node:crypto';
import type { Rolldown } from 'vite';
import { pageSizes } from './page-budget.ts';

/** A script that gzip makes about this long, KiB. */
function chunk(fileName: string, kib: number, isEntry = false) {
  return { type: 'chunk', fileName, isEntry, code: randomBytes(kib * 1024).toString('base64') };
}

it('measures each page by its entry and chunks, counts no style sheet, and names those above 120 KiB', () => {
  const style = { type: 'asset', fileName: 'large.css' };
  const files = [chunk('index.js', 90, true), chunk('small.js', 20), chunk('large.js', 40), style];
  // Edge: the members that are read.
  const bundle = Object.fromEntries(files.map((file) => [file.fileName, file])) as Rolldown.OutputBundle;

  const { lines, tooLarge } = pageSizes(bundle, {
    routes: [
      { path: '/' },
      { path: '/small', preload: ['/small.js', '/large.css'] },
      { path: '/large', preload: ['/large.js'] },
    ],
  });

  expect(lines).toEqual([
    expect.stringMatching(/^\/: 9\d{4} bytes of scripts, \d{5} below the limit$/),
    expect.stringMatching(/^\/small: 11\d{4} bytes of scripts, \d{4} below the limit$/),
    expect.stringMatching(/^\/large: 13\d{4} bytes of scripts, -\d{5} below the limit$/),
  ]);
  expect(tooLarge).toEqual(lines.slice(2));
});
