import { UNREADABLE_VALUES } from '../reporting/thrown-value.fixture.ts';
import { isLostFile, reloadOnce } from './lost-file.ts';

it.each([
  'Failed to fetch dynamically imported module: https://shop.example/assets/cart-AbCd1234.js',
  'error loading dynamically imported module: https://shop.example/assets/cart-AbCd1234.js',
  'Importing a module script failed.',
  "'text/html' is not a valid JavaScript MIME type.",
  'Unable to preload CSS for /assets/cart-AbCd1234.css',
  'Loading chunk 12 failed.\n(missing: https://shop.example/12.js)',
  'Loading CSS chunk 12 failed.\n(/12.css)',
])('knows a lost file: %s', (message) => {
  expect(isLostFile(new TypeError(message))).toBe(true);
});

it.each([
  'Failed to fetch',
  'Load failed',
  'NetworkError when attempting to fetch resource.',
  'Loading chunks of the upload failed',
  "Cannot read properties of undefined (reading 'module')",
])('knows no lost file in: %s', (message) => {
  expect(isLostFile(new TypeError(message))).toBe(false);
});

it.each([
  'Importing a module script failed.',
  null,
  undefined,
  42,
  ...UNREADABLE_VALUES.map(([, thrown]) => thrown().value),
])('knows no lost file in a value that is no error, or cannot be read (case %#)', (thrown) => {
  expect(isLostFile(thrown)).toBe(false);
});

/** A tab that can be reloaded, and keeps its storage. */
class FakeTab {
  reloads = 0;
  /** How the browser came to the page, and how long ago. */
  type = 'navigate';
  ageMs = 0;
  readonly #items = new Map<string, string>();
  readonly page = {
    performance: { now: () => this.ageMs, getEntriesByType: () => [{ type: this.type }] },
    location: { reload: () => void (this.reloads += 1) },
    sessionStorage: {
      getItem: (name: string) => this.#items.get(name) ?? null,
      setItem: (name: string, value: string) => void this.#items.set(name, value),
    },
  };

  /** Asks for a reload. */
  reload(ms: number): boolean {
    // Edge: the page has the members that are read.
    return reloadOnce(this.page as unknown as Window, ms);
  }
}

const START_MS = 1_796_000_000_000;

it('reloads a page once, says so to all that ask meanwhile, and to none after ten seconds', () => {
  const tab = new FakeTab();

  const answers = [0, 0, 9_999, 10_000].map((ms) => tab.reload(START_MS + ms));

  expect(answers).toEqual([true, true, true, false]);
  expect(tab.reloads).toBe(1);
});

it('does not reload a page that comes from a reload', () => {
  const tab = new FakeTab();
  tab.page.sessionStorage.setItem('errata.reloaded', String(START_MS + 500));

  expect(tab.reload(START_MS + 501)).toBe(false);
});

it.each([
  [59_999, 1],
  [60_000, 2],
])('guards against a loop for a minute: after %i ms there were %i reloads', (ms, reloads) => {
  const tab = new FakeTab();
  tab.reload(START_MS);

  tab.reload(START_MS + ms);

  expect(tab.reloads).toBe(reloads);
});

it.each([
  ['reload', 59_999, 0],
  ['reload', 60_000, 1],
  ['navigate', 0, 1],
])('believes the browser where the storage is empty: a page of a %s, %i ms old', (type, ageMs, reloads) => {
  const tab = new FakeTab();
  Object.assign(tab, { type, ageMs });

  tab.reload(START_MS);

  expect(tab.reloads).toBe(reloads);
});

it.each(['getItem', 'setItem'] as const)('does not reload where storage is blocked (%s)', (name) => {
  const tab = new FakeTab();
  tab.page.sessionStorage[name] = () => {
    throw new DOMException('blocked', 'SecurityError');
  };

  expect(tab.reload(START_MS)).toBe(false);
  expect(tab.reloads).toBe(0);
});
