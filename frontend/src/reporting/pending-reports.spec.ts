/** @jest-environment jest-fixed-jsdom */
import { PendingReports } from './pending-reports.ts';
import type { Report } from './reporter.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const AT = 1_700_000_000_000;

function reportOf(error: unknown, eventId = 'a'.repeat(32)): Report {
  const context = { source: 'query', componentStack: null } as const;
  return { eventId, error, context, at: AT, serverDigest: 'D-1', serverReference: 'R-1' };
}

beforeEach(() => {
  localStorage.clear();
  window.history.replaceState(null, '', '/console/sign-in?who=ann#secret');
});

it('leaves an error to the next page with all that says which it was and where', () => {
  const error = new RangeError('outer', { cause: new TypeError('inner') });
  error.stack = 'RangeError: outer\n    at old.js:1:2';
  new PendingReports(window, '1.4.2').add(reportOf(error));

  const [report] = new PendingReports(window, '1.5.0').takeEarlier(AT + 1);

  expect(report).toMatchObject({
    eventId: 'a'.repeat(32),
    at: AT,
    context: { source: 'query' },
    serverDigest: 'D-1',
    serverReference: 'R-1',
    earlierPage: { release: '1.4.2', url: 'http://localhost/console/sign-in' },
  });
  expect(report?.error).toMatchObject({ name: 'RangeError', message: 'outer', stack: error.stack });
  expect(report?.error).toHaveProperty('cause.name', 'TypeError');
});

it('leaves a thrown string as a string', () => {
  new PendingReports(window, '1').add(reportOf('just a string'));

  expect(new PendingReports(window, '1').takeEarlier(AT)[0]?.error).toBe('just a string');
});

it('holds no query and no fragment: they can hold a sign-in code', () => {
  new PendingReports(window, '1').add(reportOf(new Error('failed')));

  expect(JSON.stringify(localStorage)).not.toMatch(/secret|ann/);
});

it('does not take up what its own page holds', () => {
  const stored = new PendingReports(window, '1');

  stored.add(reportOf(new Error('own')));

  expect(stored.takeEarlier(AT)).toEqual([]);
});

it('is still there for a third page when the second one ends before it is sent', () => {
  new PendingReports(window, '1').add(reportOf(new Error('failed')));

  new PendingReports(window, '1').takeEarlier(AT);

  expect(new PendingReports(window, '1').takeEarlier(AT)).toHaveLength(1);
});

it('removes the reports it loaded and its own, and no others', () => {
  new PendingReports(window, '1').add(reportOf(new Error('earlier'), 'b'.repeat(32)));
  const stored = new PendingReports(window, '1');
  stored.takeEarlier(AT);
  stored.add(reportOf(new Error('own')));
  new PendingReports(window, '1').add(reportOf(new Error('other tab'), 'c'.repeat(32)));

  stored.clear();

  expect(Object.keys(localStorage)).toEqual([`errata.report.${'c'.repeat(32)}`]);
});

it('takes nothing up that is too old or not its own', () => {
  new PendingReports(window, '1').add(reportOf(new Error('old')));
  localStorage.setItem('errata.report.x', 'not JSON');
  localStorage.setItem('errata.report.y', '{"eventId":1}');

  expect(new PendingReports(window, '1').takeEarlier(AT + 8 * DAY_MS)).toEqual([]);
});

it('does not fill the storage in a loop of errors, nor with one long text', () => {
  const stored = new PendingReports(window, '1');

  for (let round = 0; round < 100; round += 1) {
    stored.add(reportOf(new Error('x'.repeat(100_000)), `${round}`.padStart(32, '0')));
  }

  expect(Object.keys(localStorage)).toHaveLength(32);
  expect(JSON.stringify(localStorage).length).toBeLessThan(32 * 34_000);
});

it('throws nothing into a page whose browser refuses storage', () => {
  const refusing = new Proxy(window, {
    get(target, name) {
      if (name === 'localStorage') throw new DOMException('denied', 'SecurityError');
      return Reflect.get(target, name) as unknown;
    },
  });
  const stored = new PendingReports(refusing, '1');

  stored.add(reportOf(new Error('failed')));
  stored.clear();

  expect(stored.takeEarlier(AT)).toEqual([]);
});
