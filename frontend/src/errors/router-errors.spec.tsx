import { act, render } from '@testing-library/react';
import { type ReactNode, StrictMode, Suspense } from 'react';
import { Await, createMemoryRouter, data, type RouteObject, useRouteError } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { type Report, Reporter } from '../reporting/reporter.ts';
import { ErrorPage } from './error-page.tsx';
import { recordConsole } from './recorded-console.fixture.ts';
import { reportFailure } from './report-failure.ts';
import { RouterErrors } from './router-errors.tsx';

const SENTENCE =
  /^Application error: a client-side exception has occurred \(see the browser console[^)]*\)\.$/;

function Broken(): ReactNode {
  throw new TypeError('the cart has no items');
}

const ROUTES: readonly RouteObject[] = [
  { path: '/', element: <p>home</p> },
  { path: '/cart', element: <Broken /> },
  {
    path: '/loader',
    loader: () => {
      throw new RangeError('the cart has no items');
    },
    element: <p>never</p>,
  },
];

/** Renders a data router at a path. */
async function open(path: string, routes = ROUTES, props: { readonly onError?: () => void } = {}) {
  recordConsole();
  const reports: Report[] = [];
  const reporter = new Reporter();
  reporter.connect((report) => reports.push(report));
  const router = createMemoryRouter([...routes]);
  const { container } = render(
    <RouterErrors reporter={reporter}>
      <RouterProvider router={router} {...props} />
    </RouterErrors>,
    { onCaughtError: () => undefined },
  );
  await act(async () => router.navigate(path));
  return { container, router, reports };
}

it.each(['/cart', '/loader'])(
  'shows the sentence, and no message, for an error at %s; reports it',
  async (path) => {
    const { container, reports } = await open(path);

    expect(container).toHaveTextContent(SENTENCE);
    expect(reports).toMatchObject([
      { error: { message: 'the cart has no items' }, context: { source: 'boundary' } },
    ]);
  },
);

it('gives way to the next page', async () => {
  const { container, router } = await open('/cart');

  await act(async () => router.navigate('/'));

  expect(container).toHaveTextContent(/^home$/);
});

it.each(['/cart', '/loader'])(
  'leaves the application its own page for an error at %s; reports it',
  async (path) => {
    const children = ROUTES.map((route) => ({ ...route, errorElement: <p>sorry</p> }));

    const { container, reports } = await open(path, children);

    expect(container).toHaveTextContent(/^sorry$/);
    expect(reports).toMatchObject([{ context: { source: 'caught' } }]);
  },
);

it('shows the not-found page for an unknown path, and reports nothing', async () => {
  const { container, reports } = await open('/nowhere');

  expect(container).toHaveTextContent(/^404This page could not be found\.$/);
  expect(reports).toEqual([]);
});

it('leaves what a part of the page has caught itself', async () => {
  const late = (
    <Suspense>
      <Await resolve={Promise.reject(new Error('late'))} errorElement={<p>no offers</p>}>
        <p>offers</p>
      </Await>
    </Suspense>
  );

  const { container } = await open('/late', [{ path: '/late', element: late }]);

  expect(container).toHaveTextContent(/^no offers$/);
});

it('calls a handler of the application, too', async () => {
  let calls = 0;

  await open('/loader', ROUTES, { onError: () => (calls += 1) });

  expect(calls).toBe(1);
});

/** A route whose loader throws. */
function failing(thrown: unknown): RouteObject {
  return {
    path: '/fails',
    loader: () => {
      throw thrown;
    },
    element: <p>never</p>,
  };
}

it.each([
  ['400', new Response('', { status: 400 })],
  ['403Forbidden', new Response('', { status: 403, statusText: 'Forbidden' })],
  ['404This page could not be found.', new Response('', { status: 404, statusText: 'Not Found' })],
  ['410Gone', data('sold', { status: 410, statusText: 'Gone' })],
])('shows %s for such a response that the application throws, and reports nothing', async (text, thrown) => {
  const { container, reports } = await open('/fails', [failing(thrown)]);

  expect(container.textContent).toBe(text);
  expect(reports).toEqual([]);
});

it.each([
  ['500', new Response('', { status: 500 })],
  ['503 Service Unavailable: no stock', data('no stock', { status: 503, statusText: 'Service Unavailable' })],
])('reports a response of 5xx as %s', async (message, thrown) => {
  const { container, reports } = await open('/fails', [failing(thrown)]);

  expect(container).toHaveTextContent(SENTENCE);
  expect(reports).toMatchObject([{ error: { name: 'ErrorResponse', message } }]);
});

it.each([
  ['an error', new RangeError('once')],
  ['a text', 'once'],
  ['a response', new Response('', { status: 500 })],
])(
  'prints and reports %s once that all handlers of an application in StrictMode pass on',
  async (_, thrown) => {
    const printed = recordConsole();
    const reports: Report[] = [];
    const reporter = new Reporter();
    reporter.connect((report) => reports.push(report));
    function OwnPage() {
      return <ErrorPage reporter={reporter} error={useRouteError()} />;
    }
    const router = createMemoryRouter([{ path: '/' }, { ...failing(thrown), errorElement: <OwnPage /> }]);

    render(
      <StrictMode>
        <RouterProvider
          router={router}
          onError={(error) => reportFailure(reporter, error, { source: 'caught' })}
        />
      </StrictMode>,
    );
    await act(async () => router.navigate('/fails'));

    expect(reports).toHaveLength(1);
    expect(printed.filter(([text]) => String(text).includes('Reference'))).toHaveLength(1);
  },
);

function OtherProvider(props: { readonly router: object }) {
  return <p>{'onError' in props ? 'changed' : 'home'}</p>;
}

it('leaves the provider of another router as it is', () => {
  const { container } = render(
    <RouterErrors reporter={new Reporter()}>
      <OtherProvider router={{ state: { matches: [] } }} />
    </RouterErrors>,
  );

  expect(container).toHaveTextContent(/^home$/);
});
