import type { Event } from '@sentry/react';
import { render, screen, waitFor } from '@testing-library/react';
import { axe } from 'jest-axe';
import type { ReactElement, ReactNode } from 'react';
import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { recordConsole } from './errors/recorded-console.fixture.ts';
import { referenceOf } from './errors/reference.ts';
import { ErrorBoundary, ErrorPage, startReporting } from './react-package.tsx';

const DSN = 'https://key@errata.example/1';
const HELP = { supportUrl: 'https://help.example/?code={digest}&of={reference}' };
const CAUGHT = { onCaughtError: () => undefined };
const OF_SERVER = Object.assign(new Error('GET /cart answered 500'), { digest: '7KQ4-M2XD' });

/** Events that arrive at the tunnel, in order. */
const arrived: Event[] = [];

beforeAll(() => {
  window.fetch = async (_url, { body } = {}) => {
    const [, , event] = new TextDecoder().decode(body as Uint8Array).split('\n');
    arrived.push(JSON.parse(event ?? ''));
    return new Response('{}');
  };
});

beforeEach(() => {
  recordConsole();
  startReporting({ dsn: DSN });
});

afterEach(() => {
  document.head.replaceChildren();
  arrived.splice(0);
});

function Broken({ error }: { readonly error: unknown }): ReactNode {
  throw error;
}

/** A router, which catches the errors of its pages. */
function routerOf(error: unknown): ReactElement {
  return <RouterProvider router={createMemoryRouter([{ path: '/', element: <Broken error={error} /> }])} />;
}

const inBoundary = (children: ReactElement) => <ErrorBoundary help={HELP}>{children}</ErrorBoundary>;

/** Each time another error, because one error has one event. */
const FAILURES: readonly (readonly [name: string, page: () => ReactElement])[] = [
  ['an error of a component', () => inBoundary(<Broken error={new TypeError('cart')} />)],
  ['a text that a component throws', () => inBoundary(<Broken error="cart" />)],
  ['an error of a page of a router', () => inBoundary(routerOf(new RangeError('cart')))],
  ['an error of another boundary', () => <ErrorPage help={HELP} error={new SyntaxError('cart')} />],
];

async function loadSdk(): Promise<void> {
  window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'loads the SDK' }));
  await waitFor(() => expect(arrived).toHaveLength(1));
  arrived.splice(0);
}

const TIMES: readonly (readonly [name: string, prepare: () => Promise<void>])[] = [
  ['before the SDK is loaded', async () => {}],
  ['after the SDK is loaded', loadSdk],
];

it.each(FAILURES.flatMap(([name, page]) => TIMES.map((time) => [name, ...time, page] as const)))(
  'shows the reference of the event of %s, %s',
  async (_name, _time, prepare, page) => {
    await prepare();
    const { container } = render(page(), CAUGHT);
    await waitFor(() => expect(arrived).toHaveLength(1));

    const reference = referenceOf(arrived[0]?.event_id ?? '');
    expect(await screen.findByText(reference)).toBeVisible();
    expect(container).toHaveTextContent(
      /^Application error: a client-side exception [^)]*\)\.Reference: \S{9}Try again Home Get help$/,
    );
    expect(screen.getByRole('link', { name: 'Get help' })).toHaveAttribute(
      'href',
      `https://help.example/?code=&of=${reference}`,
    );
    expect(await axe(container)).toHaveNoViolations();
  },
);

it('shows no reference beside the digest of a failure of the server, and has it in the link', () => {
  const { container } = render(inBoundary(<Broken error={OF_SERVER} />), CAUGHT);

  expect(container).toHaveTextContent(
    /^Application error: a server-side exception [^)]*\)\.Digest: 7KQ4-M2XDTry again Home Get help$/,
  );
  expect(screen.getByRole('link', { name: 'Get help' })).toHaveAttribute(
    'href',
    'https://help.example/?code=7KQ4-M2XD&of=',
  );
});

/** Writes what a server writes into its pages. */
function serve(help: unknown, basePath = ''): void {
  const settings = { dsn: DSN, basePath, tunnel: '/tunnel', environment: 'production', help };
  const meta = Object.assign(document.createElement('meta'), {
    name: 'errata',
    content: JSON.stringify(settings),
  });
  document.head.append(meta);
}

it('has the help that the settings of the page say, and the way home below their base path', () => {
  serve({ supportUrl: 'mailto:help@shop.example?subject={digest}' }, '/errata');
  render(
    <ErrorBoundary>
      <Broken error={OF_SERVER} />
    </ErrorBoundary>,
    CAUGHT,
  );

  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/errata/',
    'mailto:help@shop.example?subject=7KQ4-M2XD',
  ]);
});

it.each([
  ['of a plain server', undefined, undefined],
  ['of another shape', 'helpful', undefined],
  ['that the application switches off', {}, false],
] as const)('adds nothing to the exact text for help %s', (_, ofPage, help) => {
  serve(ofPage);
  const { container } = render(
    <ErrorBoundary help={help}>
      <Broken error={new Error('cart')} />
    </ErrorBoundary>,
    CAUGHT,
  );

  expect(container.textContent).toBe(
    'Application error: a client-side exception has occurred (see the browser console for more information).',
  );
});

it('shows only the way home beside the text of a page that is not found', async () => {
  const { container } = render(<ErrorPage help={HELP} error={new Response(null, { status: 404 })} />);

  expect(await screen.findByRole('link', { name: 'Home' })).toHaveAttribute('href', '/');
  expect(container).toHaveTextContent(/^404This page could not be found\.Home$/);
});
