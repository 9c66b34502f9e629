import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { TREND_HOURS } from '@errata/backend/contract/trend-api.ts';
import { json } from '../../api/fake-server.fixture.ts';
import { ALL_WELL, ISSUE, openConsole } from '../console.fixture.tsx';

const TREND = 'GET /console/api/trend';
const SHOP = 'https://key@errors.example/1';

function trend(server: readonly number[]) {
  const count = TREND_HOURS - server.length;
  const none = Array.from({ length: TREND_HOURS }, () => 0);
  return () =>
    json({
      from: '2026-11-14T15:00:00Z',
      server: [...none.slice(0, count), ...server],
      browser: none,
      releases: [],
    });
}

const WITH_TREND = { ...ALL_WELL, [TREND]: trend([5, 812, 3]) };

it('adds the time of a bar to the filter of the issues, in place of another one', async () => {
  const user = userEvent.setup();
  const { container } = openConsole('/console/issues?q=cart+at%3A2026-11-01', {
    ...WITH_TREND,
    'GET /console/api/issues?status=open&sort=last&q=cart+at%3A2026-11-01': () =>
      json({ issues: [ISSUE], next: null }),
    'GET /console/api/issues?status=open&sort=last&q=cart+at%3A2026-11-28T13': () =>
      json({ issues: [ISSUE], next: null }),
  });

  const slider = await screen.findByRole('slider', {
    name: 'All errors of the last 24 hours, max 812 per hour',
  });
  expect(await axe(container)).toHaveNoViolations();
  slider.focus();
  await user.keyboard('{ArrowLeft}{Enter}');

  expect(screen.getByTestId('address')).toHaveTextContent('/console/issues?q=cart+at%3A2026-11-28T13');
  expect(slider).toHaveFocus();
});

it('opens the issues of a day from Find', async () => {
  const user = userEvent.setup();
  openConsole('/console', WITH_TREND);

  await user.click(await screen.findByRole('button', { name: '14 d' }));
  const slider = screen.getByRole('slider', { name: /^All errors of the last 14 days, max 8\d\d per day$/ });
  expect(screen.getByRole('button', { name: '14 d', pressed: true })).toBeInTheDocument();
  slider.focus();
  await user.keyboard('{Enter}');

  expect(screen.getByTestId('address')).toHaveTextContent(
    /^\/console\/issues\?q=at%3A2026-11-\d\dT\d\d\.\.2026-11-28T14$/,
  );
});

it('is that of one project, where the list is', async () => {
  const { requests } = openConsole(`/console/issues?project=${encodeURIComponent(SHOP)}`, {
    ...ALL_WELL,
    [`${TREND}?project=${encodeURIComponent(SHOP)}`]: trend([1]),
  });

  await screen.findByRole('slider');

  expect(requests).not.toContain(TREND);
});

it.each([
  ['there were no events', { [TREND]: trend([]) }],
  ['it could not be loaded', {}],
])('is not there when %s', async (_, answers) => {
  const { container } = openConsole('/console', { ...ALL_WELL, ...answers });
  await screen.findByRole('link', { name: ISSUE.title });

  expect(await screen.findByRole('heading', { name: 'Recent errors' })).toBeInTheDocument();
  expect(screen.queryByRole('slider')).not.toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});
