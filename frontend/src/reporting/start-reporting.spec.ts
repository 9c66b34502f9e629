/** @jest-environment jest-fixed-jsdom */
import { readLastError, saveLastError } from './last-error.ts';
import { type Report, Reporter } from './reporter.ts';
import { startReporting, watchWindow } from './start-reporting.ts';

/** Returns a window of its own, so that the test runner does not see the errors. */
function openWindow(): Window {
  const page = document.createElement('iframe');
  document.body.append(page);
  if (page.contentWindow === null) throw new Error('no window');
  return page.contentWindow;
}

function watched() {
  const view = openWindow();
  const reports: Report[] = [];
  const reporter = new Reporter();
  reporter.connect((report) => reports.push(report));
  watchWindow(view, reporter);
  return { view, reports };
}

it('reports an error in a handler', () => {
  const { view, reports } = watched();
  const error = new RangeError('in a handler');

  view.dispatchEvent(new ErrorEvent('error', { error, message: 'in a handler' }));

  expect(reports.map((report) => [report.error, report.context.source])).toEqual([[error, 'onerror']]);
});

it('reports the place when the error itself is kept from it', () => {
  const { view, reports } = watched();

  view.dispatchEvent(
    new ErrorEvent('error', { message: 'Script error.', filename: '/assets/old.js', lineno: 3, colno: 14 }),
  );

  expect(reports[0]?.error).toHaveProperty('stack', 'Error: Script error.\n    at /assets/old.js:3:14');
});

it.each([
  { message: 'Script error.' },
  { message: 'ResizeObserver loop completed with undelivered notifications.', filename: '/', lineno: 12 },
  { message: 'ResizeObserver loop limit exceeded', filename: '/cart' },
])('reports nothing for $message, which names no error and no place', (init) => {
  const { view, reports } = watched();

  view.dispatchEvent(new ErrorEvent('error', init));

  expect(reports).toEqual([]);
});

it('reports an unhandled rejection of any value', () => {
  const { view, reports } = watched();

  view.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'just a string' }));

  expect(reports.map((report) => report.error)).toEqual(['just a string']);
});

it('captures nothing after its end, and leaves what other code captures to the next start', () => {
  const view = openWindow();
  const reporter = new Reporter();
  const [before, after]: [Report[], Report[]] = [[], []];
  const stop = startReporting(view, null, reporter);
  reporter.connect((report) => before.push(report));

  stop();
  view.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'just a string' }));
  reporter.capture('late', { source: 'query' });
  reporter.connect((report) => after.push(report));

  expect(before).toEqual([]);
  expect(after.map(({ error }) => error)).toEqual(['late']);
});

const SETTINGS = {
  dsn: 'https://key@host/1',
  basePath: '',
  tunnel: '/tunnel',
  release: '1',
  environment: 'test',
  demo: false,
};

afterEach(() => window.sessionStorage.clear());

it('saves as last error the event ID of an error in the browser', () => {
  const reporter = new Reporter();
  startReporting(window, SETTINGS, reporter);

  const eventId = reporter.capture(new Error('here'), { source: 'boundary' });

  expect(readLastError(window)).toBe(eventId);
});

it('saves as last error the digest that an error of the server carries', () => {
  const error = Object.assign(new Error('there'), { digest: '7KQ4-M2XD' });
  const reporter = new Reporter();
  startReporting(window, SETTINGS, reporter);

  reporter.capture(error, { source: 'query' });

  expect(readLastError(window)).toBe('7KQ4-M2XD');
});

it('has no last error where the browser refuses storage', () => {
  const page = Object.create(window, {
    sessionStorage: {
      get: () => {
        throw new Error('denied');
      },
    },
  }) as Window;

  saveLastError(page, '7KQ4-M2XD');

  expect(readLastError(page)).toBeNull();
});
