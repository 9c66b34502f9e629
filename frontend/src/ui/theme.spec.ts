/** @jest-environment jest-fixed-jsdom */
import '@testing-library/jest-dom';
import { chooseTheme, readTheme, applyStoredTheme } from './theme.ts';

afterEach(() => {
  window.localStorage.clear();
  applyStoredTheme(window);
});

it('follows the system until the user chooses', () => {
  applyStoredTheme(window);

  expect(readTheme(window)).toBe('system');
  expect(document.documentElement).not.toHaveAttribute('data-theme');
});

it('shows the choice at once, and again at the next start', () => {
  chooseTheme(window, 'dark');
  expect(document.documentElement).toHaveAttribute('data-theme', 'dark');
  document.documentElement.removeAttribute('data-theme');

  applyStoredTheme(window);

  expect(document.documentElement).toHaveAttribute('data-theme', 'dark');
});

it('goes back to the system', () => {
  chooseTheme(window, 'light');

  chooseTheme(window, 'system');

  expect(window.localStorage).toHaveLength(0);
  expect(document.documentElement).not.toHaveAttribute('data-theme');
});

it('takes nothing else for a theme', () => {
  window.localStorage.setItem('errata.theme', 'hot pink');

  expect(readTheme(window)).toBe('system');
});
