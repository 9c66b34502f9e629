import { waitFor } from '@testing-library/react';
import { Component, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { type Report, Reporter } from '../reporting/reporter.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { recordConsole } from './recorded-console.fixture.ts';
import { rootHandlers } from './root-handlers.ts';

const ERROR = new TypeError('cart is undefined');

function Broken(): ReactNode {
  throw ERROR;
}

/** A boundary of the application, which reports nothing. */
class OwnBoundary extends Component<{ readonly children: ReactNode }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? 'sorry' : this.props.children;
  }
}

// In its test environment React throws an uncaught error into the test, and calls no handler.
beforeAll(() => Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', false));

async function rendered(draw: (reporter: Reporter) => ReactNode) {
  const printed = recordConsole();
  const reports: Report[] = [];
  const reporter = new Reporter();
  reporter.connect((report) => reports.push(report));
  const container = document.createElement('div');
  const root = createRoot(container, rootHandlers(reporter, container));
  root.render(draw(reporter));
  await waitFor(() => expect(container).not.toBeEmptyDOMElement());
  return { container, printed, sources: reports.map(({ context }) => context.source), reports };
}

it.each([
  ['no boundary', 'root', /^Application error: a client-side/, () => <Broken />],
  [
    'a boundary of the application',
    'caught',
    /^sorry$/,
    () => (
      <OwnBoundary>
        <Broken />
      </OwnBoundary>
    ),
  ],
  [
    'the boundary of this package',
    'boundary',
    /^Application error: a client-side/,
    (reporter: Reporter) => (
      <ErrorBoundary reporter={reporter}>
        <Broken />
      </ErrorBoundary>
    ),
  ],
])('reports an error once that reaches %s, and prints it once', async (_where, source, text, draw) => {
  const { container, printed, reports, sources } = await rendered(draw);

  expect(container).toHaveTextContent(text);
  expect(sources).toEqual([source]);
  expect(reports[0]?.context.componentStack).toMatch(/Broken/);
  expect(printed).toEqual([[expect.stringMatching(/Reference: /), ERROR]]);
});

it('reports an error that React has rendered around', () => {
  recordConsole();
  const reports: Report[] = [];
  const reporter = new Reporter();
  reporter.connect((report) => reports.push(report));

  rootHandlers(reporter, document.body).onRecoverableError(ERROR, { componentStack: '\n    at Cart' });

  expect(reports).toMatchObject([{ error: ERROR, context: { source: 'recoverable' } }]);
});
