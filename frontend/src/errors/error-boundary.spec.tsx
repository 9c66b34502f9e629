import { render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { type Report, Reporter } from '../reporting/reporter.ts';
import { UNREADABLE_VALUES } from '../reporting/thrown-value.fixture.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { recordConsole } from './recorded-console.fixture.ts';
import { referenceOf } from './reference.ts';

function Broken({ error }: { readonly error: unknown }): ReactNode {
  throw error;
}

/** A reporter that collects its reports in a list. */
function recordReports() {
  const reports: Report[] = [];
  const reporter = new Reporter();
  reporter.connect((report) => reports.push(report));
  return { reporter, reports };
}

const CAUGHT = { onCaughtError: () => undefined };

it('shows the client text when a component throws', () => {
  recordConsole();
  const { reporter } = recordReports();

  render(
    <ErrorBoundary reporter={reporter}>
      <Broken error={new TypeError('cart is undefined')} />
    </ErrorBoundary>,
    CAUGHT,
  );

  expect(document.body.textContent).toBe(
    'Application error: a client-side exception has occurred (see the browser console for more information).',
  );
  expect(screen.getByRole('alert')).toBeInTheDocument();
  expect(document.title).toBe('Application error');
});

it('shows the server text and the digest when the error came with one', () => {
  recordConsole();
  const { reporter, reports } = recordReports();

  render(
    <ErrorBoundary reporter={reporter}>
      <Broken error={Object.assign(new Error('GET /api answered 500'), { digest: '7KQ4-M2XD' })} />
    </ErrorBoundary>,
    CAUGHT,
  );

  expect(screen.getByRole('heading')).toHaveTextContent('a server-side exception has occurred');
  expect(screen.getByRole('paragraph')).toHaveTextContent('Digest: 7KQ4-M2XD');
  expect(reports[0]?.serverDigest).toBe('7KQ4-M2XD');
});

it('keeps the promise of its sentence: error, reference and event id are in the browser console', () => {
  const printed = recordConsole();
  const { reporter, reports } = recordReports();
  const error = new Error('no promise broken');

  render(
    <ErrorBoundary reporter={reporter}>
      <Broken error={error} />
    </ErrorBoundary>,
    CAUGHT,
  );

  const eventId = reports[0]?.eventId ?? '';
  expect(printed).toEqual([
    [`Application error\nReference: ${referenceOf(eventId)}\nEvent ID: ${eventId}\n`, error],
  ]);
});

it.each([['a string'], [undefined], [null], [42]])('survives that %p is thrown', (thrown) => {
  recordConsole();
  const { reporter } = recordReports();

  render(
    <ErrorBoundary reporter={reporter}>
      <Broken error={thrown} />
    </ErrorBoundary>,
    CAUGHT,
  );

  expect(screen.getByRole('heading')).toHaveTextContent('a client-side exception has occurred');
});

/** React itself reads thrown values, to know a promise: it fails at a proxy. */
const READ_BY_REACT = UNREADABLE_VALUES.filter(([kind]) => !kind.endsWith('proxy'));

it.each(READ_BY_REACT)('shows, prints and reports what throws when it is read: %s', (_name, thrown) => {
  const printed = recordConsole();
  const { reporter, reports } = recordReports();

  render(
    <ErrorBoundary reporter={reporter}>
      <Broken error={thrown().value} />
    </ErrorBoundary>,
    CAUGHT,
  );

  expect(screen.getByRole('heading')).toHaveTextContent('a client-side exception has occurred');
  expect(reports).toHaveLength(1);
  expect(printed[0]?.[0]).toMatch(/Reference: /);
});

it('leaves the failure behind when the page changes', () => {
  recordConsole();
  const { reporter } = recordReports();
  document.title = 'Shop';
  const { rerender } = render(
    <ErrorBoundary reporter={reporter} resetKey="/broken">
      <Broken error={new Error('here')} />
    </ErrorBoundary>,
    CAUGHT,
  );

  rerender(
    <ErrorBoundary reporter={reporter} resetKey="/">
      <p>elsewhere</p>
    </ErrorBoundary>,
  );

  expect(screen.getByText('elsewhere')).toBeInTheDocument();
  expect(document.title).toBe('Shop');
});

it('leaves a title that the application has set meanwhile', () => {
  recordConsole();
  const { reporter } = recordReports();
  const { unmount } = render(
    <ErrorBoundary reporter={reporter}>
      <Broken error={new Error('here')} />
    </ErrorBoundary>,
    CAUGHT,
  );

  document.title = 'Cart';
  unmount();

  expect(document.title).toBe('Cart');
});
