import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { focusManager } from '@tanstack/react-query';
import { FakeLive } from '../../api/fake-live.fixture.ts';
import { problem, type Answers } from '../../api/fake-server.fixture.ts';
import { liveEvent } from '../../api/live-event.fixture.ts';
import { RETRY_MS } from '../../api/live.ts';
import { passInterval, queryIntervals } from '../../api/query-intervals.fixture.ts';
import { ALL_WELL, SUPPORT, openConsole } from '../console.fixture.tsx';

const ASKS_SESSION = 'GET /console/api/session';

/** The page, and the server's end of it. */
async function follow(answers: Answers = {}) {
  const live = new FakeLive();
  const page = openConsole('/console/live', {
    ...ALL_WELL,
    ...live.answers,
    [ASKS_SESSION]: SUPPORT,
    ...answers,
  });
  await screen.findByText('sam@example.org');
  await screen.findByText('Live', { selector: 'output *' });
  return { ...page, live };
}

function titles(): readonly string[] {
  return within(screen.getByRole('list', { name: 'Live errors' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);
}

function scrollTo(y: number): void {
  Object.defineProperty(window, 'scrollY', { value: y, configurable: true });
  act(() => void window.dispatchEvent(new Event('scroll')));
}

afterEach(() => {
  scrollTo(0);
  focusManager.setFocused(undefined);
});

it('waits for the next error, and says how to make one', async () => {
  const { container } = await follow();

  expect(screen.getByRole('heading', { name: 'Waiting for the next error…' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: /break the server/ })).toHaveAttribute('target', '_blank');
  expect(screen.getByRole('link', { name: 'Set it up' })).toHaveAttribute('href', '/console/setup');
  expect(await axe(container)).toHaveNoViolations();
});

it('shows each new event on top, with the way to its answer', async () => {
  const { container, live } = await follow();

  live.send(liveEvent(1), liveEvent(2, { isNew: true }));
  await screen.findByText('TypeError: cart 2 is undefined');

  expect(titles()).toEqual(['TypeError: cart 2 is undefined', 'TypeError: cart 1 is undefined']);
  expect(screen.getByText('New issue')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: /cart 1/ })).toHaveAttribute(
    'href',
    `/console/e/7KQ4-M2XD?event=${'1'.padStart(32, '0')}`,
  );
  expect(await axe(container)).toHaveNoViolations();
});

it('does not speak each of them to a screen reader', async () => {
  const { live } = await follow();

  live.send(liveEvent(1));
  await screen.findByText(/cart 1/);

  expect(screen.getByRole('list', { name: 'Live errors' })).toHaveAttribute('aria-live', 'off');
});

it('stands still when it is paused, and brings the new events by a button', async () => {
  const user = userEvent.setup();
  const { container, live } = await follow();
  live.send(liveEvent(1));
  await screen.findByText(/cart 1/);

  await user.click(screen.getByRole('button', { name: 'Pause' }));
  live.send(liveEvent(2), liveEvent(3));
  const news = await screen.findByRole('button', { name: '2 new errors: show' });

  expect(titles()).toHaveLength(1);
  expect(screen.getByText('Show new errors')).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
  await user.click(news);
  expect(titles()).toHaveLength(3);
  expect(screen.getByText('Paused')).toBeInTheDocument();
  expect(screen.getByRole('list', { name: 'Live errors' })).toHaveFocus();
});

it('brings the first rows to a list that has the focus then', async () => {
  const user = userEvent.setup();
  const { live } = await follow();

  await user.click(screen.getByRole('button', { name: 'Pause' }));
  live.send(liveEvent(1));
  await user.click(await screen.findByRole('button', { name: '1 new error: show' }));

  expect(screen.getByRole('list', { name: 'Live errors' })).toHaveFocus();
});

it('has what it had when one comes back to it, and asks what came since', async () => {
  const user = userEvent.setup();
  const { back, live, requests } = await follow();
  live.send(liveEvent(1), liveEvent(2));

  await user.click(await screen.findByRole('link', { name: /cart 1/ }));
  await screen.findByRole('heading', { level: 1 });
  const before = requests.length;
  live.send(liveEvent(3));
  act(back);

  expect(titles()).toEqual(['TypeError: cart 2 is undefined', 'TypeError: cart 1 is undefined']);
  expect(screen.getByRole('link', { name: /cart 1/ })).toHaveFocus();
  await screen.findByRole('button', { name: '1 new error: show' });
  expect(requests.slice(before).filter((request) => request.includes('/live'))).toEqual([
    'GET /console/api/live?after=2',
  ]);
});

it('pauses while the user has scrolled down, and resumes at the top', async () => {
  const { live } = await follow();
  live.send(liveEvent(1));
  await screen.findByText(/cart 1/);

  scrollTo(300);
  live.send(liveEvent(2));
  await screen.findByRole('button', { name: '1 new error: show' });
  expect(titles()).toHaveLength(1);
  scrollTo(0);

  expect(titles()).toHaveLength(2);
  expect(screen.queryByRole('button', { name: /new error/ })).not.toBeInTheDocument();
});

it('stands still while the focus is on a row', async () => {
  const user = userEvent.setup();
  const { live } = await follow();
  live.send(liveEvent(1));
  await screen.findByText(/cart 1/);

  act(() => screen.getByRole('link', { name: /cart 1/ }).focus());
  live.send(liveEvent(2));
  await screen.findByRole('button', { name: '1 new error: show' });
  expect(screen.getByText('Paused while scrolling')).toBeInTheDocument();
  await user.tab({ shift: true });

  // The button is above the list, so the focus has left the list, and pending rows are shown.
  expect(titles()).toHaveLength(2);
});

it('says how many were passed over', async () => {
  const { live } = await follow();

  live.pass(340, liveEvent(1));

  expect(await screen.findByText(/340 more errors are under/)).toBeInTheDocument();
});

it('says that it lost the server, and that nothing is lost', async () => {
  const { container, live } = await follow();

  live.fail(() => problem(503, 'Service Unavailable'));

  expect(await screen.findByText('Disconnected, reconnecting')).toBeInTheDocument();
  expect(screen.getByRole('heading', { name: 'No connection to the server' })).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it('keeps what it has without a connection, and goes on from there', async () => {
  const { live } = await follow();
  live.send(liveEvent(1));
  await screen.findByText(/cart 1/);

  live.fail(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(await screen.findByText('Reconnecting…')).toBeInTheDocument();
  expect(titles()).toHaveLength(1);
  live.failure = null;
  live.send(liveEvent(2));
  passInterval(RETRY_MS);

  expect(await screen.findByText(/cart 2/)).toBeInTheDocument();
  expect(screen.getByText('Live', { selector: 'output *' })).toBeInTheDocument();
});

it('polls only while the page is visible', async () => {
  const { live, requests } = await follow();
  const before = requests.length;

  focusManager.setFocused(false);
  live.send(liveEvent(1));
  const whileHidden = requests.length - before;
  act(() => focusManager.setFocused(true));

  expect(await screen.findByText(/cart 1/)).toBeInTheDocument();
  expect(whileHidden).toBe(0);
});

it('asks for a sign-in when the session is over', async () => {
  const { live } = await follow();

  live.fail(() => problem(401, 'Unauthorized'));

  expect(await screen.findByLabelText('Console token')).toBeInTheDocument();
  expect(queryIntervals()).toEqual([]);
});

it('shows hostile words as words', async () => {
  const { live } = await follow();

  live.send(liveEvent(1, { title: '<img src=x onerror=alert(1)>', path: '"><script>alert(1)</script>' }));

  expect(await screen.findByRole('link', { name: '<img src=x onerror=alert(1)>' })).toBeInTheDocument();
  expect(document.querySelector('img, script')).toBeNull();
});
