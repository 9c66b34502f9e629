import { act, render } from '@testing-library/react';
import { type ReactNode, StrictMode } from 'react';
import { createMemoryRouter, type RouteObject, useRouteError } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { type Report, Reporter } from '../reporting/reporter.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { recordConsole } from './recorded-console.fixture.ts';
import { rootHandlers } from './root-handlers.ts';
import { RouterErrors } from './router-errors.tsx';

const LOST = new TypeError('Failed to fetch dynamically imported module: https://shop.example/cart.js');
const MARK = 'errata.reloaded';
const SENTENCE =
  /^Application error: a client-side exception has occurred \(see the browser console[^)]*\)\.$/;

/** Calls that wait to see whether the page is still there. */
let due: (() => void)[];
const { setTimeout: realSetTimeout } = globalThis;

beforeEach(() => {
  due = [];
  const later = (call: () => void, ms = 0, ...given: []) =>
    ms === 10_000 ? due.push(() => call(...given)) : realSetTimeout(call, ms, ...given);
  globalThis.setTimeout = Object.assign(later, realSetTimeout);
});

afterEach(() => {
  globalThis.setTimeout = realSetTimeout;
  window.sessionStorage.clear();
});

/** Lets the ten seconds pass in which a reload leaves the page. */
function stay(): void {
  act(() => due.splice(0).forEach((call) => call()));
}

function Broken({ error }: { readonly error: unknown }): ReactNode {
  throw error;
}

/** Renders an application, and records what is reported and printed. */
async function open(application: (reporter: Reporter) => ReactNode) {
  const printed = recordConsole();
  const reports: Report[] = [];
  const reporter = new Reporter();
  reporter.connect((report) => reports.push(report));
  const { onCaughtError } = rootHandlers(reporter, document.body);
  const { container } = await act(async () => render(application(reporter), { onCaughtError }));
  return { container, reports, printed };
}

const inBoundary = (error: unknown) =>
  open((reporter) => (
    <ErrorBoundary reporter={reporter}>
      <Broken error={error} />
    </ErrorBoundary>
  ));

/** The browser prints that its test double cannot reload. */
const ofErrata = (printed: readonly (readonly unknown[])[]) =>
  printed.filter(([text]) => String(text).startsWith('Application error'));

it('shows, reports and prints nothing of a lost file while the page is reloaded', async () => {
  const { container, reports, printed } = await inBoundary(LOST);

  expect(window.sessionStorage.getItem(MARK)).not.toBeNull();
  expect(container).toBeEmptyDOMElement();
  expect(reports).toEqual([]);
  expect(ofErrata(printed)).toEqual([]);
});

it('does so in strict mode, too', async () => {
  const { container, reports } = await open((reporter) => (
    <StrictMode>
      <ErrorBoundary reporter={reporter}>
        <Broken error={LOST} />
      </ErrorBoundary>
    </StrictMode>
  ));

  expect(window.sessionStorage.getItem(MARK)).not.toBeNull();
  expect(container).toBeEmptyDOMElement();
  expect(reports).toEqual([]);
});

it('shows and reports a lost file of a page that was not left after all', async () => {
  const { container, reports, printed } = await inBoundary(LOST);

  stay();

  expect(container).toHaveTextContent(SENTENCE);
  expect(reports).toMatchObject([{ error: LOST, context: { source: 'boundary' } }]);
  expect(ofErrata(printed)).toHaveLength(1);
});

it('shows and reports a file that is lost after a reload, too', async () => {
  window.sessionStorage.setItem(MARK, String(Date.now() - 1));

  const { container, reports } = await inBoundary(LOST);

  expect(container).toHaveTextContent(SENTENCE);
  expect(reports).toMatchObject([{ error: LOST, context: { source: 'boundary' } }]);
});

it('shows and reports a lost file where storage is blocked', async () => {
  const { sessionStorage } = window;
  const block = (value: PropertyDescriptor) =>
    Object.defineProperty(window, 'sessionStorage', { configurable: true, ...value });
  block({
    get: () => {
      throw new DOMException('blocked', 'SecurityError');
    },
  });

  const { container, reports } = await inBoundary(LOST);
  block({ value: sessionStorage });

  expect(container).toHaveTextContent(SENTENCE);
  expect(reports).toHaveLength(1);
});

it.each([LOST.message, null, new TypeError('Failed to fetch')])('does not reload for %p', async (thrown) => {
  const { container } = await inBoundary(thrown);

  expect(container).toHaveTextContent(SENTENCE);
  expect(window.sessionStorage.getItem(MARK)).toBeNull();
});

/** Opens a page whose files are lost in a data router. */
const inRouter = (route: RouteObject) =>
  open((reporter) => (
    <ErrorBoundary reporter={reporter}>
      <RouterErrors reporter={reporter}>
        <RouterProvider router={createMemoryRouter([{ path: '/', ...route }])} />
      </RouterErrors>
    </ErrorBoundary>
  ));

const lazy = () => Promise.reject(LOST);

function Rethrow(): ReactNode {
  throw useRouteError();
}

it.each<[string, RouteObject]>([
  ['of `lazy`', { lazy }],
  ['of a component', { element: <Broken error={LOST} /> }],
  ['of `lazy`, below an error element that passes it on', { lazy, errorElement: <Rethrow /> }],
  ['of a component, below one', { element: <Broken error={LOST} />, errorElement: <Rethrow /> }],
])('reloads the page of a data router for a lost file %s, and reports nothing', async (_, route) => {
  const { container, reports, printed } = await inRouter(route);

  expect(window.sessionStorage.getItem(MARK)).not.toBeNull();
  expect(container).toBeEmptyDOMElement();
  expect(reports).toEqual([]);
  expect(ofErrata(printed)).toEqual([]);
});

it.each<[string, RouteObject, RegExp]>([
  ['of ours', { lazy }, SENTENCE],
  ['of the application', { lazy, errorElement: <p>sorry</p> }, /^sorry$/],
])(
  'reports the lost file of a data router whose page stays, once, with a page %s',
  async (_, route, text) => {
    const { container, reports, printed } = await inRouter(route);

    stay();

    expect(container).toHaveTextContent(text);
    expect(reports).toMatchObject([{ error: LOST }]);
    expect(ofErrata(printed)).toHaveLength(1);
  },
);
