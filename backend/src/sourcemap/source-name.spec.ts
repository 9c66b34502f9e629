import { sourceName } from './source-name.ts';

describe('sourceName', () => {
  it.each([
    ['../../src/app/home.tsx', 'src/app/home.tsx'],
    ['../../../src/app/home.tsx', 'src/app/home.tsx'],
    ['./src/app/home.tsx', 'src/app/home.tsx'],
    ['..\\..\\src\\app\\home.tsx', 'src/app/home.tsx'],
    ['webpack://shop/./src/app/home.vue?a1b2', 'src/app/home.vue'],
    ['../../../backend/src/contract/texts.ts', 'backend/src/contract/texts.ts'],
  ])('names the own file %s', (source, file) => {
    expect(sourceName(source)).toEqual({ file, isOwn: true });
  });

  it.each([
    ['../../node_modules/react-dom/client.js', 'node_modules/react-dom/client.js'],
    ['../../../node_modules/.pnpm/react@19.3.0/node_modules/react/index.js', 'node_modules/react/index.js'],
    ['webpack://shop/./node_modules/@scope/lib/a.js', 'node_modules/@scope/lib/a.js'],
    ['\0vite/preload-helper.js', 'vite/preload-helper.js'],
    ['webpack://shop/webpack/bootstrap', 'webpack/bootstrap'],
  ])('names %s as not own', (source, file) => {
    expect(sourceName(source)).toEqual({ file, isOwn: false });
  });
});
