import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import type { Answers } from '../../api/fake-server.fixture.ts';
import { serveStreams, type FakeEventSource } from '../../api/fake-event-source.fixture.ts';
import { liveEvent } from '../../api/live-event.fixture.ts';
import { ALL_WELL, SIGNED_OUT, SUPPORT, openConsole } from '../console.fixture.tsx';

const ASKS_SESSION = 'GET /console/api/session';

/** The page, and the server's end of its stream. */
async function follow(answers: Answers = {}) {
  const streams = serveStreams();
  const page = openConsole('/console/live', {
    ...ALL_WELL,
    [ASKS_SESSION]: SUPPORT,
    ...answers,
  });
  const stream = (): FakeEventSource => {
    const source = streams.asked.at(-1);
    if (source === undefined) throw new Error('no stream was requested');
    return source;
  };
  act(() => stream().open());
  await screen.findByText('sam@example.org');
  return { ...page, stream };
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

afterEach(() => scrollTo(0));

it('waits for the next error, and says how to make one', async () => {
  const { container } = await follow();

  expect(screen.getByRole('heading', { name: 'Waiting for the next error…' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: /break the server/ })).toHaveAttribute('target', '_blank');
  expect(screen.getByRole('link', { name: 'Set it up' })).toHaveAttribute('href', '/console/setup');
  expect(await axe(container)).toHaveNoViolations();
});

it('shows what comes in, newest on top, with the way to its answer', async () => {
  const { container, stream } = await follow();

  stream().send(liveEvent(1));
  stream().send(liveEvent(2, { isNew: true }));
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
  const { stream } = await follow();

  stream().send(liveEvent(1));
  await screen.findByText(/cart 1/);

  expect(screen.getByRole('list', { name: 'Live errors' })).toHaveAttribute('aria-live', 'off');
});

it('stands still when it is paused, and brings what came by a button', async () => {
  const user = userEvent.setup();
  const { container, stream } = await follow();
  stream().send(liveEvent(1));
  await screen.findByText(/cart 1/);

  await user.click(screen.getByRole('button', { name: 'Pause' }));
  stream().send(liveEvent(2));
  stream().send(liveEvent(3));
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
  const { stream } = await follow();

  await user.click(screen.getByRole('button', { name: 'Pause' }));
  stream().send(liveEvent(1));
  await user.click(await screen.findByRole('button', { name: '1 new error: show' }));

  expect(screen.getByRole('list', { name: 'Live errors' })).toHaveFocus();
});

it('has what it had when one comes back to it, and asks what came since', async () => {
  const user = userEvent.setup();
  const { back, stream } = await follow();
  stream().send(liveEvent(1), '17');
  stream().send(liveEvent(2), '18');

  await user.click(await screen.findByRole('link', { name: /cart 1/ }));
  await screen.findByRole('heading', { level: 1 });
  expect(stream().readyState).toBe(2);
  act(back);

  expect(titles()).toEqual(['TypeError: cart 2 is undefined', 'TypeError: cart 1 is undefined']);
  expect(screen.getByRole('link', { name: /cart 1/ })).toHaveFocus();
  expect(stream().url).toBe('/console/api/live?after=18');
});

it('pauses while the user has scrolled down, and resumes at the top', async () => {
  const { stream } = await follow();
  stream().send(liveEvent(1));
  await screen.findByText(/cart 1/);

  scrollTo(300);
  stream().send(liveEvent(2));
  await screen.findByRole('button', { name: '1 new error: show' });
  expect(titles()).toHaveLength(1);
  scrollTo(0);

  expect(titles()).toHaveLength(2);
  expect(screen.queryByRole('button', { name: /new error/ })).not.toBeInTheDocument();
});

it('stands still while the focus is on a row', async () => {
  const user = userEvent.setup();
  const { stream } = await follow();
  stream().send(liveEvent(1));
  await screen.findByText(/cart 1/);

  act(() => screen.getByRole('link', { name: /cart 1/ }).focus());
  stream().send(liveEvent(2));
  await screen.findByRole('button', { name: '1 new error: show' });
  expect(screen.getByText('Paused while scrolling')).toBeInTheDocument();
  await user.tab({ shift: true });

  // The button is above the list, so the focus has left the list, and pending rows are shown.
  expect(titles()).toHaveLength(2);
});

it('says how many were passed over', async () => {
  const { stream } = await follow();

  stream().pass({ events: 340 });

  expect(await screen.findByText(/340 more errors are under/)).toBeInTheDocument();
});

it('says that it lost the server, and that nothing is lost', async () => {
  const { container, requests, stream } = await follow();

  act(() => stream().refuse());
  await waitFor(() => expect(requests.filter((request) => request === ASKS_SESSION)).toHaveLength(2));

  expect(await screen.findByText('Disconnected, reconnecting')).toBeInTheDocument();
  expect(screen.getByRole('heading', { name: 'No connection to the server' })).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it('keeps what it has while the browser connects again', async () => {
  const { stream } = await follow();
  stream().send(liveEvent(1));
  await screen.findByText(/cart 1/);

  act(() => stream().break());

  expect(screen.getByText('Reconnecting…')).toBeInTheDocument();
  expect(titles()).toHaveLength(1);
});

it('asks whether the session is over when the stream is refused', async () => {
  const sessions = [SUPPORT, SIGNED_OUT];
  const { stream } = await follow({
    [ASKS_SESSION]: () => (sessions.shift() ?? SIGNED_OUT)(),
  });
  act(() => stream().refuse());

  expect(await screen.findByLabelText('Console token')).toBeInTheDocument();
  expect(stream().readyState).toBe(2);
});

it('shows hostile words as words', async () => {
  const { stream } = await follow();

  stream().send(liveEvent(1, { title: '<img src=x onerror=alert(1)>', path: '"><script>alert(1)</script>' }));

  expect(await screen.findByRole('link', { name: '<img src=x onerror=alert(1)>' })).toBeInTheDocument();
  expect(document.querySelector('img, script')).toBeNull();
});
