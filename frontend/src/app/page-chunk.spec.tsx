import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { MemoryRouter, Route, Routes } from 'react-router';
import { json, serve } from '../api/fake-server.fixture.ts';
import { createQueryClient } from '../api/query-client.ts';
import { ConsoleFrame } from '../console/shell/console-frame.tsx';
import { ErrorBoundary } from '../errors/error-boundary.tsx';
import { recordConsole } from '../errors/recorded-console.fixture.ts';
import { type Report, Reporter } from '../reporting/reporter.ts';
import { chunkOf } from './page-chunk.tsx';

const LOST = new TypeError('Failed to fetch dynamically imported module: https://errata.example/live.js');
const MARK = 'errata.reloaded';

/** What importing the page does, in order; the last one for ever. */
type Imports = readonly (Error | null | 'page')[];

beforeEach(() => void recordConsole());

afterEach(() => {
  window.sessionStorage.clear();
  setOnline(true);
});

function setOnline(isOnline: boolean) {
  Object.defineProperty(navigator, 'onLine', { value: isOnline, configurable: true });
  act(() => void window.dispatchEvent(new Event(isOnline ? 'online' : 'offline')));
}

const signedIn = () => json({ open: true, signedIn: true });

/** Opens a page of the frame whose files are lost. */
async function open(imports: Imports, session: () => Response | Promise<Response> = signedIn) {
  let tries = 0;
  const { page: Page } = chunkOf(async () => {
    const outcome = imports[Math.min(tries, imports.length - 1)];
    tries += 1;
    if (outcome !== 'page') throw outcome;
    return () => <h1>Live</h1>;
  });
  serve({ 'GET /console/api/session': session });
  const reports: Report[] = [];
  const reporter = new Reporter();
  reporter.connect((report) => reports.push(report));
  const { container } = await act(async () =>
    render(
      <QueryClientProvider client={createQueryClient(() => undefined, 0)}>
        <MemoryRouter initialEntries={['/console/live']}>
          <ErrorBoundary reporter={reporter}>
            <Routes>
              <Route element={<ConsoleFrame />}>
                <Route path="/console/live" element={<Page hasDemo reporter={reporter} />} />
              </Route>
            </Routes>
          </ErrorBoundary>
        </MemoryRouter>
      </QueryClientProvider>,
      { onCaughtError: () => undefined },
    ),
  );
  return { container, reports, tries: () => tries };
}

const NOTICE = { name: 'This page could not be loaded', level: 1 };

it('shows a page whose files come at the second time', async () => {
  const { reports } = await open([LOST, 'page']);

  expect(await screen.findByRole('heading', { name: 'Live' })).toBeInTheDocument();
  expect(window.sessionStorage.getItem(MARK)).toBeNull();
  expect(reports).toEqual([]);
});

it('says without a network that the page is missing, in the frame, and shows it when the network is back', async () => {
  setOnline(false);
  const { container, reports, tries } = await open([LOST, 'page']);

  const page = within(screen.getByRole('main'));
  expect(page.getByRole('heading', NOTICE)).toBeInTheDocument();
  expect(screen.getByRole('navigation', { name: 'Console' })).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
  expect(tries()).toBe(1);
  setOnline(true);

  expect(await screen.findByRole('heading', { name: 'Live' })).toBeInTheDocument();
  expect(reports).toEqual([]);
});

it('asks for the page again when the user does', async () => {
  setOnline(false);
  const user = userEvent.setup();
  await open([LOST, 'page']);

  await user.click(screen.getByRole('button', { name: 'Try again' }));

  expect(await screen.findByRole('heading', { name: 'Live' })).toBeInTheDocument();
  expect(screen.getByRole('main')).toHaveFocus();
});

it('reloads where the server answers without the files, and reports nothing', async () => {
  const { reports } = await open([LOST]);

  await waitFor(() => expect(window.sessionStorage.getItem(MARK)).not.toBeNull());

  expect(screen.queryByRole('heading', NOTICE)).not.toBeInTheDocument();
  expect(reports).toEqual([]);
});

it('does not reload another page, to which the user has gone on', async () => {
  const answers: ((answer: Response) => void)[] = [];
  const { tries } = await open([LOST], () => new Promise((resolve) => void answers.push(resolve)));
  await waitFor(() => expect(tries()).toBe(2));

  act(() => screen.getByRole('link', { name: 'Find' }).click());
  await act(async () => answers.forEach((answer) => answer(signedIn())));

  expect(window.sessionStorage.getItem(MARK)).toBeNull();
});

it('reloads no second time: the page stays, and the error is reported', async () => {
  window.sessionStorage.setItem(MARK, String(Date.now()));
  const { reports } = await open([LOST]);

  await screen.findByRole('heading', NOTICE);

  expect(reports).toMatchObject([{ error: LOST, context: { source: 'boundary' } }]);
});

it.each([
  ['a truncated file', new SyntaxError('Unexpected end of input')],
  ['a module that throws', new RangeError('in the module')],
  ['a module that throws no error', null],
])('stays in the frame, and says so, where the page cannot be loaded: %s', async (_, error) => {
  window.sessionStorage.setItem(MARK, String(Date.now()));
  const { reports } = await open([error]);

  await screen.findByRole('heading', NOTICE);

  expect(screen.getByRole('navigation', { name: 'Console' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
  expect(reports).toMatchObject([{ error }]);
});

it('leaves the files of the frame itself to the boundary, which reloads', async () => {
  const { page: Frame } = chunkOf(async () => {
    throw LOST;
  });
  const reporter = new Reporter();

  await act(async () =>
    render(
      <MemoryRouter>
        <ErrorBoundary reporter={reporter}>
          <Routes>
            <Route path="/" element={<Frame hasDemo reporter={reporter} />} />
          </Routes>
        </ErrorBoundary>
      </MemoryRouter>,
      { onCaughtError: () => undefined },
    ),
  );

  expect(window.sessionStorage.getItem(MARK)).not.toBeNull();
});
