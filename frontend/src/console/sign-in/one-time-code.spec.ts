/** @jest-environment jest-fixed-jsdom */
import { hideOneTimeCode, takeOneTimeCode } from './one-time-code.ts';

const CODE = 'Zm9vYmFyLWJhei1xdXV4_0123456789a';

it('takes the code out of the address bar, and gives it out once', () => {
  window.history.replaceState(null, '', `/console/sign-in?from=mail#${CODE}`);

  hideOneTimeCode(window);

  expect(window.location.href).toBe('http://localhost/console/sign-in?from=mail');
  expect(takeOneTimeCode()).toBe(CODE);
  expect(takeOneTimeCode()).toBeNull();
});

it('takes the skip link for no code', () => {
  window.history.replaceState(null, '', '/console/sign-in#content');

  hideOneTimeCode(window);

  expect(window.location.hash).toBe('#content');
  expect(takeOneTimeCode()).toBeNull();
});

it('leaves the fragments of other pages alone', () => {
  window.history.replaceState(null, '', `/console/e/7KQ4-M2XD#${CODE}`);

  hideOneTimeCode(window);

  expect(window.location.hash).toBe(`#${CODE}`);
  expect(takeOneTimeCode()).toBeNull();
});
