/** @jest-environment jest-fixed-jsdom */
import { peekReturnPath, saveReturnPath, takeReturnPath } from './return-path.ts';

it('can be looked at before it is taken', () => {
  saveReturnPath(window, '/console/e/7KQ4-M2XD');

  expect([peekReturnPath(window), peekReturnPath(window)]).toEqual([
    '/console/e/7KQ4-M2XD',
    '/console/e/7KQ4-M2XD',
  ]);
});

it('gives the place back once', () => {
  saveReturnPath(window, '/console/e/7KQ4-M2XD?event=1');

  expect(takeReturnPath(window)).toBe('/console/e/7KQ4-M2XD?event=1');
  expect(takeReturnPath(window)).toBeNull();
});

it.each(['https://evil.example/console', '//evil.example', '/', '/consoles', 'javascript:alert(1)'])(
  'leads nowhere but into the console (%s)',
  (place) => {
    saveReturnPath(window, place);

    expect(takeReturnPath(window)).toBeNull();
  },
);
