import { type Report, Reporter } from './reporter.ts';
import { watchWindow } from './start-reporting.ts';

/** Watches a window of its own, so that the test runner does not see the errors. */
function watched() {
  const page = document.createElement('iframe');
  document.body.append(page);
  const view = page.contentWindow;
  if (view === null) throw new Error('no window');
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

it('reports an unhandled rejection, whatever was thrown', () => {
  const { view, reports } = watched();

  view.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'just a string' }));

  expect(reports.map((report) => report.error)).toEqual(['just a string']);
});
