import { hasContentHash } from './content-hash.ts';

describe('hasContentHash', () => {
  it.each([
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
  ])('finds the hash of %s', (name) => {
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
