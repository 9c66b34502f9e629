import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { json } from '../../api/fake-server.fixture.ts';
import { passInterval } from '../../api/query-intervals.fixture.ts';
import { ALL_WELL, ISSUE, OPEN_ISSUES, openConsole } from '../console.fixture.tsx';

const VERDICT = 'GET /console/api/delivery/verdict';

afterEach(() => setOnline(true));

function setOnline(isOnline: boolean) {
  Object.defineProperty(navigator, 'onLine', { value: isOnline, configurable: true });
  act(() => void window.dispatchEvent(new Event(isOnline ? 'online' : 'offline')));
}

it('shows that the browser is offline, keeps the page, and asks again afterwards', async () => {
  const { container, requests } = openConsole('/console/issues', ALL_WELL);
  await screen.findByRole('link', { name: ISSUE.title });

  setOnline(false);
  expect(screen.getByText('You are offline. This data may be outdated.')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: ISSUE.title })).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
  setOnline(true);

  expect(screen.queryByText(/You are offline/)).not.toBeInTheDocument();
  expect(requests).toContain(OPEN_ISSUES);
});

it('says that the server cannot be reached, and tries again when asked', async () => {
  const user = userEvent.setup();
  let isDown = true;
  const broken = (answer: () => Response) => () => {
    if (isDown) throw new TypeError('Failed to fetch');
    return answer();
  };
  const { container } = openConsole('/console/issues', {
    ...ALL_WELL,
    'GET /console/api/session': broken(() => json({ open: true, signedIn: true })),
    [OPEN_ISSUES]: broken(() => json({ issues: [ISSUE], next: null })),
  });

  await screen.findByText(/^Server unreachable/);
  expect(await screen.findByRole('heading', { name: 'The issues could not be loaded' })).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
  isDown = false;
  await user.click(
    within(container.querySelector('output') ?? container).getByRole('button', { name: 'Try again' }),
  );

  expect(await screen.findByRole('link', { name: ISSUE.title })).toBeInTheDocument();
  expect(screen.queryByText(/^Server unreachable/)).not.toBeInTheDocument();
});

it.each([
  ['the browser is online again', () => [false, true].forEach(setOnline)],
  ['the server answers a look at it', () => act(() => passInterval(5_000))],
])('no longer says that the server cannot be reached when %s', async (_, comeBack) => {
  let isDown = false;
  const answers = {
    ...ALL_WELL,
    [VERDICT]: () => json({ level: 'moving', causes: [] }),
    'GET /console/api/projects': () => json({ projects: [] }),
  };
  const broken = Object.entries(answers).map(([request, answer]) => {
    const answerOrFail = () => {
      if (isDown) throw new TypeError('Failed to fetch');
      return answer();
    };
    return [request, answerOrFail];
  });
  const { requests, back } = openConsole('/console/issues', Object.fromEntries(broken));
  const link = await screen.findByRole('link', { name: ISSUE.title });
  await waitFor(() => expect(requests).toContain(VERDICT));
  isDown = true;
  act(() => link.click());
  await screen.findByRole('heading', { name: 'This error could not be loaded' });
  // The request that failed is of no page now, and the others are new enough.
  act(back);
  await screen.findByText(/^Server unreachable/);

  isDown = false;
  comeBack();

  await waitFor(() => expect(screen.queryByText(/^Server unreachable/)).not.toBeInTheDocument());
  expect(screen.getByRole('link', { name: ISSUE.title })).toBeInTheDocument();
});
