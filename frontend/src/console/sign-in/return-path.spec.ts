import { peekPlace, rememberPlace, takePlace } from './return-path.ts';

it('can be looked at before it is taken', () => {
  rememberPlace(window, '/console/e/7KQ4-M2XD');

  expect([peekPlace(window), peekPlace(window)]).toEqual(['/console/e/7KQ4-M2XD', '/console/e/7KQ4-M2XD']);
});

it('gives the place back once', () => {
  rememberPlace(window, '/console/e/7KQ4-M2XD?event=1');

  expect(takePlace(window)).toBe('/console/e/7KQ4-M2XD?event=1');
  expect(takePlace(window)).toBeNull();
});

it.each(['https://evil.example/console', '//evil.example', '/', '/consoles', 'javascript:alert(1)'])(
  'leads nowhere but into the console (%s)',
  (place) => {
    rememberPlace(window, place);

    expect(takePlace(window)).toBeNull();
  },
);
