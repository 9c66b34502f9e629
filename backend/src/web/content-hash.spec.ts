import { hasContentHash, mayHaveHash } from './content-hash.ts';

const CERTAIN = [
  'chunk-DiwrgTda.js',
  'main-TQ4DSHOP.js',
  'main.3f2a1b9c.js',
  'app.1a2b3c4d5e6f7a8b9c0d.js',
  'index-BfT4_-xQ.js',
  'index-a-3x_ZtQ.js',
  'styles-5INURTSO.css',
  'chunk-LZBJRJJE.js',
  'polyfills.9c1d33e4.chunk.js',
  'logo-C7x9Kq2p.svg',
  'webpack-59c5c889f52620d6.js',
  '4bd1b696-1d3ddafe5ef1e0ad.js',
  '3f2a1b9c4d5e6f708192.woff2',
];

describe('hasContentHash', () => {
  it.each(CERTAIN)('finds the hash of %s', (name) => {
    expect(hasContentHash(name)).toBe(true);
  });

  it.each([
    'app-settings.json',
    'site-manifest.webmanifest',
    'env-override.js',
    'config-override.js',
    'logo-20240608.png',
    'manifest.json',
    'service-worker.js',
    'Inter-SemiBold.woff2',
    'photo-DscnTrip.jpg',
    'page-HomePage.js',
    'app-Settings.js',
    'icon-iPhone14.png',
    'hero-1280x720.jpg',
    'hero-1280X720.jpg',
    'menu-cafe2024.pdf',
    'report.20240608a.csv',
    'report-2024-06-08.pdf',
    'third-party-LICENSES.txt',
    'chapter-Chapter1.html',
    'jquery-3.7.1.min.js',
    'sw.js',
    'LICENSE',
    '-DiwrgTda',
  ])('finds none in %s', (name) => {
    expect(hasContentHash(name)).toBe(false);
  });
});

/** Writes 8 symbols, or any number, as bundlers do. */
function hashes(alphabet: string, length: number): readonly string[] {
  let state = 1;
  // Numerical Recipes' generator: the same names in each run.
  const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
  const symbol = (): string => alphabet[Math.floor((next() / 2 ** 32) * alphabet.length)] ?? '';
  return Array.from({ length: 20_000 }, () => Array.from({ length }, symbol).join(''));
}

const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const HEX_DIGITS = '0123456789abcdef';

describe('mayHaveHash', () => {
  it.each([
    ...CERTAIN,
    'index-a1b2c3d4.js',
    'index-Settings.js',
    'logo-abcd_fgh.svg',
    'Inter-SemiBold.woff2',
    'main.12345678.js',
    'data.deadbeef.json',
    'film-C7x9Kq2p.mp4',
  ])('says yes to %s', (name) => {
    expect(mayHaveHash(name)).toBe(true);
  });

  it.each([
    'app-settings.json',
    'Settings.js',
    'service-worker.js',
    'jquery-3.7.1.min.js',
    'photo-20240608.jpg',
    'photo.20240608.jpg',
    'index-AbCd1234.html',
    'index-AbCd1234.js.map',
    'index-AbCd1234.js.gz',
    'report-AbCd1234.pdf',
    'AbCd1234',
    '-AbCd1234',
    'index-AbCd123.js',
    `index-${'a1'.repeat(33)}.js`,
  ])('says no to %s', (name) => {
    expect(mayHaveHash(name)).toBe(false);
  });

  it.each([
    ['Vite', `${CAPITALS}${CAPITALS.toLowerCase()}0123456789-_`, 8, '-'],
    ['esbuild', `${CAPITALS}234567`, 8, '-'],
    ['webpack', HEX_DIGITS, 20, '.'],
    ['Parcel', HEX_DIGITS, 8, '.'],
  ])('misses one of 1,000 hashes of %s at most', (_bundler, alphabet, length, separator) => {
    const missed = hashes(alphabet, length).filter((hash) => !mayHaveHash(`index${separator}${hash}.js`));

    expect(missed.length).toBeLessThanOrEqual(20);
  });
});
