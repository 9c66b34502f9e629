import { rememberPlace, takePlace } from './wanted-place.ts';

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
