import { hideOneTimeCode, takeOneTimeCode } from './one-time-code.ts';

it('takes the code out of the address bar, and gives it out once', () => {
  window.history.replaceState(null, '', '/console/sign-in?from=mail#secret-code');

  hideOneTimeCode(window);

  expect(window.location.href).toBe('http://localhost/console/sign-in?from=mail');
  expect(takeOneTimeCode()).toBe('secret-code');
  expect(takeOneTimeCode()).toBeNull();
});

it('leaves the fragments of other pages alone', () => {
  window.history.replaceState(null, '', '/console/e/7KQ4-M2XD#content');

  hideOneTimeCode(window);

  expect(window.location.hash).toBe('#content');
  expect(takeOneTimeCode()).toBeNull();
});
