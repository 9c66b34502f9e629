import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { json } from '../../api/fake-server.fixture.ts';
import { ALL_WELL, ISSUE, OPEN_ISSUES, LINKED_ISSUE, openConsole } from '../console.fixture.tsx';

const STATUS = 'POST /console/api/issues/status';

const listing = (issues: readonly object[]) => () => json({ issues, next: null });

it('tells projects apart where there are several', async () => {
  const user = userEvent.setup();
  const mine = { ...ISSUE, project: 'https://k@sentry.example/3' };
  const other = { ...LINKED_ISSUE, project: 'https://k@sentry.example/4' };
  openConsole('/console/issues', {
    ...ALL_WELL,
    [OPEN_ISSUES]: listing([mine, other]),
    'GET /console/api/issues?status=open&sort=last&project=https%3A%2F%2Fk%40sentry.example%2F3': listing([
      mine,
    ]),
  });

  await user.click(await screen.findByRole('link', { name: 'sentry.example/3' }));
  const filter = await screen.findByRole('combobox', { name: 'Project' });

  expect(filter).toHaveDisplayValue('sentry.example/3');
  await user.selectOptions(filter, 'All projects');
  expect(screen.getByTestId('address')).toHaveTextContent('/console/issues');
  expect(await screen.findByRole('link', { name: other.title })).toBeInTheDocument();
});

it('offers the projects where there are several', async () => {
  const user = userEvent.setup();
  openConsole('/console/issues', {
    ...ALL_WELL,
    'GET /console/api/projects': () =>
      json({ projects: ['https://k@sentry.example/3', 'https://k@sentry.example/4'] }),
  });
  const filter = await screen.findByRole('combobox', { name: 'Project' });

  await user.selectOptions(filter, 'sentry.example/4');

  expect(screen.getByTestId('address')).toHaveTextContent(
    '/console/issues?project=https%3A%2F%2Fk%40sentry.example%2F4',
  );
  expect(filter).toHaveFocus();
});

it('has no choice of projects where there is one', async () => {
  openConsole('/console/issues', {
    ...ALL_WELL,
    'GET /console/api/projects': () => json({ projects: ['https://k@sentry.example/3'] }),
  });

  await screen.findByRole('link', { name: ISSUE.title });

  expect(screen.queryByRole('combobox', { name: 'Project' })).not.toBeInTheDocument();
});

it('settles one of two projects that have the same fault, and links each by its project', async () => {
  const user = userEvent.setup();
  const mine = { ...ISSUE, isShared: true };
  const other = { ...mine, project: '2', title: 'The other one' };
  const { requests } = openConsole('/console/issues', {
    ...ALL_WELL,
    [OPEN_ISSUES]: listing([mine, other]),
    [STATUS]: () => json({ changed: 1 }),
  });

  await user.click(await screen.findByRole('checkbox', { name: 'Select 7KQ4-M2XD in 2' }));
  await user.click(screen.getByRole('button', { name: 'Resolve' }));

  expect(requests).toContain(
    `${STATUS} {"issues":[{"key":"${ISSUE.key}","project":"2"}],"status":"resolved","resolvedIn":null}`,
  );
  expect(screen.getByRole('link', { name: mine.title })).toHaveAttribute(
    'href',
    '/console/e/7KQ4-M2XD?project=1',
  );
  expect(screen.getByRole('link', { name: other.title })).toHaveAttribute(
    'href',
    '/console/e/7KQ4-M2XD?project=2',
  );
});
