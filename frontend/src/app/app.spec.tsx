import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { json, problem, serve } from '../api/fake-server.fixture.ts';
import { createQueryClient } from '../api/query-client.ts';
import { recordConsole } from '../errors/recorded-console.fixture.ts';
import { type Report, Reporter } from '../reporting/reporter.ts';
import { App } from './mount.tsx';

afterEach(() => window.sessionStorage.clear());

/** Renders the whole client at an address. */
function open(path: string, hasDemo = true) {
  window.history.replaceState(null, '', path);
  recordConsole();
  const reports: Report[] = [];
  const reporter = new Reporter();
  reporter.connect((report) => reports.push(report));
  const client = createQueryClient(() => undefined, 0);
  const { container } = render(<App reporter={reporter} client={client} hasDemo={hasDemo} />, {
    onCaughtError: () => undefined,
  });
  return { container, reports };
}

it('says who serves it, and offers three ways to fail', async () => {
  const { container } = open('/');

  expect(screen.getByRole('heading', { level: 1, name: 'Errata' })).toBeInTheDocument();
  expect(screen.getByText('This app is served by Errata')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Break the server' })).toHaveAttribute(
    'href',
    expect.stringMatching(/^\/demo\/server-error\?id=[0-9a-f]{32}$/),
  );
  expect(screen.getByRole('link', { name: 'Open a missing page' })).toHaveAttribute('href', '/no-such-page');
  expect(await axe(container)).toHaveNoViolations();
});

it('offers no failure when the demo is off', () => {
  open('/', false);

  expect(screen.queryByRole('link', { name: /Break/ })).not.toBeInTheDocument();
});

it('ends on the error page when a page breaks, reports it, and is whole again after going back', async () => {
  const user = userEvent.setup();
  const { container, reports } = open('/');

  await user.click(screen.getByRole('link', { name: 'Break this page' }));

  expect(container.textContent).toBe(
    'Application error: a client-side exception has occurred (see the browser console for more information).',
  );
  expect(reports.map(({ error }) => error)).toEqual([expect.any(TypeError)]);
  window.history.back();
  expect(await screen.findByText('This app is served by Errata')).toBeInTheDocument();
});

it('shows the digest of the server when a failed request broke the page', async () => {
  serve({});
  const names = { digest: '7KQ4-M2XD', reference: 'ABCD-1234' };
  globalThis.fetch = async () => problem(500, 'Internal Server Error', names);

  const { container, reports } = open('/demo/failed-request');

  expect(await screen.findByRole('alert')).toBeInTheDocument();
  expect(container.textContent).toBe(
    'Application error: a server-side exception has occurred (see the server logs for more information).Digest: 7KQ4-M2XD',
  );
  expect(reports).toMatchObject([{ serverDigest: '7KQ4-M2XD', serverReference: 'ABCD-1234' }]);
});

it.each([
  ['/no-such-page', true],
  ['/demo/client-error', false],
])('does not know %s (demo %p)', (path, hasDemo) => {
  const { container } = open(path, hasDemo);

  expect(container.textContent).toBe('404This page could not be found.');
});

it('says in the frame of the console that no page has an address below it', async () => {
  serve({ 'GET /console/api/session': () => json({ open: true, signedIn: true }) });

  const { container } = await act(async () => open('/console/nothing'));
  await screen.findByRole('navigation', { name: 'Console' });

  expect(screen.getByRole('heading', { level: 1, name: '404' })).toBeInTheDocument();
  expect(screen.getByRole('main')).toHaveTextContent(/^404This page could not be found\.$/);
  expect(document.title).toBe('404: This page could not be found. – Errata');
  expect(await axe(container)).toHaveNoViolations();
});

it('loads the console when it is asked for', async () => {
  serve({
    'GET /console/api/session': () => json({ open: true, signedIn: true }),
    'GET /console/api/issues?status=open&sort=last': () => json({ issues: [], next: null }),
  });

  await act(async () => open('/console'));

  expect(
    await screen.findByRole('heading', { level: 1, name: 'Find the cause of an error' }),
  ).toBeInTheDocument();
});

it('shows in the frame that a page cannot be rendered, reports it once, and goes on to other pages', async () => {
  serve({
    'GET /console/api/session': () => json({ open: true, signedIn: true }),
    'GET /console/api/delivery': () => json({ of: 'another version' }),
  });

  const { container, reports } = await act(async () => open('/console/delivery'));

  expect(await screen.findByRole('heading', { name: 'This page could not be shown' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
  expect(screen.getByRole('alert')).toHaveTextContent(/Application error: a client-side exception/);
  expect(reports).toHaveLength(1);
  expect(await axe(container)).toHaveNoViolations();
  act(() => screen.getByRole('link', { name: 'Find' }).click());
  expect(await screen.findByRole('heading', { name: 'Find the cause of an error' })).toBeInTheDocument();
});

it('offers Try again where the frame of the console cannot be rendered', async () => {
  serve({ 'GET /console/api/session': () => json({ open: true, signedIn: true, who: {} }) });

  await act(async () => open('/console'));

  expect(await screen.findByRole('alert')).toHaveTextContent(/^Application error: .*Try again$/);
  expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
});

it.each([
  ['7KQ4-M2XD', '7KQ4-M2XD'],
  ['0'.repeat(31) + '1', '0000-0000'],
])('leads a signed-in user from the home page to the last error of the tab (%s)', async (id, name) => {
  window.sessionStorage.setItem('errata.last-error', id);
  serve({ 'GET /console/api/session': () => json({ open: true, signedIn: true, ways: ['token'] }) });

  open('/');

  expect(await screen.findByRole('link', { name: 'Find it in the console' })).toHaveAttribute(
    'href',
    `/console/e/${id}`,
  );
  expect(screen.getByText(name)).toBeInTheDocument();
});

it('has no link to an error without a session', async () => {
  window.sessionStorage.setItem('errata.last-error', '7KQ4-M2XD');
  const { requests } = serve({ 'GET /console/api/session': () => json({ open: true, signedIn: false }) });

  open('/');

  await waitFor(() => expect(requests).toHaveLength(1));
  expect(screen.queryByRole('link', { name: 'Find it in the console' })).not.toBeInTheDocument();
});
