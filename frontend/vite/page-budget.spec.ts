import { randomBytes } from 'node:crypto';
import type { Rolldown } from 'vite';
import { pagesOverBudget } from './page-budget.ts';

/** A script that gzip makes about this long, KiB. */
function chunk(fileName: string, kib: number, isEntry = false) {
  return { type: 'chunk', fileName, isEntry, code: randomBytes(kib * 1024).toString('base64') };
}

it('names each page whose entry and chunks are more than 120 KiB together, and counts no style sheet', () => {
  const style = { type: 'asset', fileName: 'large.css' };
  const files = [chunk('index.js', 90, true), chunk('small.js', 20), chunk('large.js', 40), style];
  // Edge: the members that are read.
  const bundle = Object.fromEntries(files.map((file) => [file.fileName, file])) as Rolldown.OutputBundle;

  const lines = pagesOverBudget(bundle, {
    routes: [
      { path: '/' },
      { path: '/small', preload: ['/small.js', '/large.css'] },
      { path: '/large', preload: ['/large.js'] },
    ],
  });

  expect(lines).toEqual([
    expect.stringMatching(/^\/large has 1\d{5} bytes of scripts, the limit is 122880$/),
  ]);
});
