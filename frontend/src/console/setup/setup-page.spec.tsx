import type { Setup } from '@errata/backend/contract/setup-api.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { FakeLive } from '../../api/fake-live.fixture.ts';
import { json, problem, type Answers } from '../../api/fake-server.fixture.ts';
import { liveEvent } from '../../api/live-event.fixture.ts';
import { POLL_MS } from '../../api/live.ts';
import { passInterval } from '../../api/query-intervals.fixture.ts';
import { DELIVERY } from '../delivery/delivery.fixture.ts';
import { ALL_WELL, OPERATOR, openConsole, SUPPORT } from '../console.fixture.tsx';

const DSN = 'https://0123abcd@errata.invalid/1';
const OTHER = 'https://4567cdef@sentry.example:8443/team/42';
const SERVER = 'https://89ab@errata.example/1';
const ASKS_SETUP = 'GET /console/api/setup';

function setup(change: Partial<Setup> = {}): Setup {
  const project = { project: DSN, browserDsn: DSN, serverDsn: SERVER };
  return {
    projects: [project],
    origin: 'https://errata.example',
    tunnel: '/tunnel',
    release: null,
    ...change,
  };
}

async function open(path: string, answers: Answers = {}) {
  const live = new FakeLive();
  const page = openConsole(path, {
    ...ALL_WELL,
    ...live.answers,
    'GET /console/api/session': OPERATOR,
    [ASKS_SETUP]: () => json(setup()),
    'GET /console/api/delivery': () => json(DELIVERY),
    ...answers,
  });
  await screen.findByRole('heading', { level: 1, name: 'Set up an application' });
  return { ...page, live };
}

/** Resolves when the page gets every new event. */
async function followed(live: FakeLive): Promise<void> {
  await waitFor(() => {
    passInterval(POLL_MS);
    expect(live.isFollowed).toBe(true);
  });
}

const code = () => screen.findByRole('figure', { name: /^Code for (?!vite)/ });

it('shows the code for a browser first, with the real values', async () => {
  const { container } = await open('/console/setup');

  expect(await code()).toHaveTextContent(`Sentry.init({ dsn: '${DSN}', tunnel: '/tunnel' });`);
  expect(screen.getByText(/^Pages of another origin/)).toHaveTextContent(
    "tunnel: 'https://errata.example/tunnel'",
  );
  expect(await axe(container)).toHaveNoViolations();
});

it('has the line with which a development server of Vite forwards the tunnel, to copy', async () => {
  await open('/console/setup', { [ASKS_SETUP]: () => json(setup({ tunnel: '/errata/tunnel' })) });

  expect(await screen.findByRole('figure', { name: 'Code for vite.config.ts' })).toHaveTextContent(
    "server: { proxy: { '/errata/tunnel': 'https://errata.example' } },",
  );
  expect(screen.getByRole('button', { name: 'Copy code for vite.config.ts' })).toBeInTheDocument();
});

it('shows each way by a link, with the server key in its code', async () => {
  const user = userEvent.setup();
  await open('/console/setup');

  await user.click(await screen.findByRole('link', { name: 'Python' }));

  expect(screen.getByTestId('address')).toHaveTextContent('/console/setup?way=python');
  expect(await code()).toHaveTextContent(`sentry_sdk.init(dsn="${SERVER}")`);
});

it('names the file of the code, the command that starts it, and what may stop the installation', async () => {
  await open('/console/setup?way=python');
  await code();

  expect(screen.getByText(/^Install/)).toHaveTextContent('Install: pip install sentry-sdk');
  expect(screen.getByText(/externally-managed-environment/)).toHaveTextContent('python3 -m venv .venv');
  expect(screen.getByText(/^Save it as/)).toHaveTextContent(
    'Save it as app.py, and start it: python3 app.py',
  );
});

it('names no file for a command', async () => {
  await open('/console/setup?way=curl');
  await code();

  expect(screen.queryByText(/^Save it as/)).toBeNull();
});

it('copies the code', async () => {
  const user = userEvent.setup();
  const copied: string[] = [];
  Object.defineProperty(navigator, 'clipboard', {
    value: { writeText: async (text: string) => void copied.push(text) },
    configurable: true,
  });
  await open('/console/setup?way=curl');

  await user.click(await screen.findByRole('button', { name: 'Copy code for curl' }));

  expect(copied).toEqual([expect.stringContaining("curl 'https://errata.example/api/1/store/'")]);
});

it('has the values of another project by its link', async () => {
  const user = userEvent.setup();
  const second = { project: OTHER, browserDsn: OTHER, serverDsn: 'https://cdef@errata.example/42' };
  await open('/console/setup?way=node', {
    [ASKS_SETUP]: () => json(setup({ projects: [...setup().projects, second] })),
  });

  await user.click(await screen.findByRole('link', { name: 'sentry.example:8443/team/42' }));

  expect(await code()).toHaveTextContent("Sentry.init({ dsn: 'https://cdef@errata.example/42' });");
});

it('sends a test error through the tunnel, and shows that it arrived', async () => {
  const user = userEvent.setup();
  const { requests, live } = await open('/console/setup', { 'POST /tunnel': () => json({ id: '1' }) });
  await user.click(await screen.findByRole('button', { name: 'Send a test error' }));
  expect(await screen.findByText('Sent. Waiting for it to arrive…')).toBeInTheDocument();

  await followed(live);
  live.send(liveEvent(1, { title: 'Error: Test error: Browser', digest: 'AAAA-BBBB' }));

  expect(await screen.findByRole('link', { name: 'AAAA-BBBB Error: Test error: Browser' })).toHaveAttribute(
    'href',
    expect.stringContaining('/console/e/AAAA-BBBB?event='),
  );
  expect(requests.filter((request) => request.startsWith('POST /tunnel'))).toEqual([
    expect.stringContaining(`"dsn":"${DSN}"`),
  ]);
});

it('says why the tunnel rejected the test error', async () => {
  const user = userEvent.setup();
  await open('/console/setup', {
    'POST /tunnel': () => problem(403, 'Forbidden', { detail: 'dsn is not allowed here' }),
  });

  await user.click(await screen.findByRole('button', { name: 'Send a test error' }));

  expect(await screen.findByText(/dsn is not allowed here/)).toBeInTheDocument();
});

it('shows the test error of a program, and only under its own way', async () => {
  const user = userEvent.setup();
  const { live } = await open('/console/setup?way=node');
  await followed(live);

  live.send(liveEvent(1, { title: 'Exception: Test error: Python' }));
  await user.click(screen.getByRole('link', { name: 'Python' }));
  const arrived = await screen.findByRole('link', { name: /Test error: Python/ });
  await user.click(screen.getByRole('link', { name: 'Node.js' }));

  expect(arrived).not.toBeInTheDocument();
  expect(await screen.findByText(/Run it/)).toBeInTheDocument();
});

it('says that it cannot see the test error arrive without a connection', async () => {
  const { live } = await open('/console/setup?way=node');
  await followed(live);

  live.fail(() => problem(503, 'Service Unavailable'));

  expect(await screen.findByText(/No connection to the server/)).toBeInTheDocument();
});

const WITHOUT = () => json(setup({ projects: [{ project: DSN, browserDsn: DSN, serverDsn: null }] }));

it.each([
  [SUPPORT, 'The server key is for operators'],
  [OPERATOR, 'The server key is not known'],
])('says why there is no server key (%#)', async (session, title) => {
  await open('/console/setup?way=node', { 'GET /console/api/session': session, [ASKS_SETUP]: WITHOUT });

  expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument();
  expect(screen.queryByRole('figure', { name: /^Code for / })).toBeNull();
});

it('names rejected DSNs with origin, count and last time, since the last start', async () => {
  const rejected = { reason: 'not_allowed', count: 1_204, last: '2026-11-21T03:05:00Z' };
  const rejectedDsns = [
    { dsn: 'https://0123…@sentry.example/7', origin: 'https://shop.example', ...rejected },
  ];
  const { container } = await open('/console/setup', {
    'GET /console/api/delivery': () => json({ ...DELIVERY, rejectedDsns }),
  });

  const section = await screen.findByRole('region', { name: 'Rejected DSNs' });

  expect(section).toHaveTextContent('since the last start');
  expect(section).toHaveTextContent('or use the code above.');
  expect(within(section).getAllByRole('row')[1]).toHaveTextContent(
    'https://0123…@sentry.example/7from https://shop.example, not in ERRATA_TUNNEL_DSNS1,204',
  );
  expect(within(section).getByText(/./, { selector: 'time' })).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it('shows no list when no DSN was rejected', async () => {
  const { requests } = await open('/console/setup');
  await code();

  expect(requests).toContain('GET /console/api/delivery');
  expect(screen.queryByRole('region', { name: 'Rejected DSNs' })).toBeNull();
});

it('says what failed, and tries again', async () => {
  const user = userEvent.setup();
  const answers = [() => problem(500, 'Internal Server Error', { detail: 'Broken.' }), () => json(setup())];
  await open('/console/setup', { [ASKS_SETUP]: () => answers.shift()?.() ?? json({}) });

  expect(await screen.findByText(/Broken/)).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Try again' }));

  expect(await code()).toBeInTheDocument();
});

it('says that it is loading', async () => {
  await open('/console/setup', { [ASKS_SETUP]: () => new Promise(() => undefined) });

  await waitFor(() => expect(screen.getByRole('status', { name: 'Loading the DSN' })).toBeInTheDocument());
});
