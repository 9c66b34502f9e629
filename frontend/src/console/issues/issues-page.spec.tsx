import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { json, problem } from '../../api/fake-server.fixture.ts';
import { passInterval, queryIntervals } from '../../api/query-intervals.fixture.ts';
import { ALL_WELL, ISSUE, OPEN_ISSUES, LINKED_ISSUE, SUPPORT, openConsole } from '../console.fixture.tsx';

const STATUS = 'POST /console/api/issues/status';

function listing(issues: readonly unknown[], rest: object = {}) {
  return () => json({ issues, next: null, ...rest });
}

it('lists the open issues with their numbers, the latest first', async () => {
  const { container } = openConsole('/console/issues', ALL_WELL);

  const table = await screen.findByRole('table', { name: /^Issues, open/ });

  expect(within(table).getAllByRole('row')).toHaveLength(3);
  const row = within(table).getByRole('row', { name: /cart is undefined/ });
  expect(within(row).getByRole('link', { name: ISSUE.title })).toHaveAttribute(
    'href',
    '/console/e/7KQ4-M2XD',
  );
  expect(within(row).getByRole('img', { name: '25 in the last 24 hours, max' })).toBeInTheDocument();
  expect(within(table).getByRole('columnheader', { name: 'Last seen' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  expect(screen.getByRole('link', { name: 'Issues', current: 'page' })).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it('sorts by a heading, and holds that in the address', async () => {
  const user = userEvent.setup();
  openConsole('/console/issues?kind=server', {
    ...ALL_WELL,
    'GET /console/api/issues?status=open&sort=last&kind=server': listing([ISSUE, LINKED_ISSUE]),
    'GET /console/api/issues?status=open&sort=events&kind=server': listing([LINKED_ISSUE]),
  });
  const table = await screen.findByRole('table');

  await user.click(within(table).getByRole('link', { name: 'Events' }));

  expect(await screen.findByRole('columnheader', { name: 'Events' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  expect(screen.getByTestId('address')).toHaveTextContent('/console/issues?kind=server&sort=events');
});

it('goes on page by page', async () => {
  const user = userEvent.setup();
  openConsole('/console/issues', {
    ...ALL_WELL,
    [OPEN_ISSUES]: listing([ISSUE], { next: 'two' }),
    'GET /console/api/issues?status=open&sort=last&cursor=two': listing([LINKED_ISSUE]),
  });

  await user.click(await screen.findByRole('link', { name: 'Next page ›' }));

  expect(await screen.findByRole('link', { name: LINKED_ISSUE.title })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: '‹ First page' })).toHaveAttribute('href', '/console/issues');
  expect(screen.queryByRole('link', { name: 'Next page ›' })).not.toBeInTheDocument();
  expect(screen.getByRole('table', { name: /^Issues, open/ })).toHaveFocus();
});

it('resolves the selected ones, shows their number and the others', async () => {
  const user = userEvent.setup();
  let issues = [ISSUE, LINKED_ISSUE];
  const { container, requests } = openConsole('/console/issues', {
    ...ALL_WELL,
    [OPEN_ISSUES]: () => json({ issues, next: null }),
    [STATUS]: () => {
      issues = [LINKED_ISSUE];
      return json({ changed: 1 });
    },
  });

  await user.click(await screen.findByRole('checkbox', { name: 'Select 7KQ4-M2XD' }));
  expect(screen.getByRole('checkbox', { name: 'Select all on this page' })).toBePartiallyChecked();
  expect(await axe(container)).toHaveNoViolations();
  await user.click(screen.getByRole('button', { name: 'Resolve' }));

  expect(await screen.findByText('1 issue resolved.')).toHaveFocus();
  expect(requests).toContain(
    `${STATUS} {"issues":[{"key":"${ISSUE.key}","project":"1"}],"status":"resolved","resolvedIn":null}`,
  );
  expect(screen.queryByRole('link', { name: ISSUE.title })).not.toBeInTheDocument();
  expect(screen.queryByRole('region', { name: 'Selected issues' })).not.toBeInTheDocument();
});

it('ticks all at once, by keyboard too', async () => {
  const user = userEvent.setup();
  openConsole('/console/issues', ALL_WELL);
  const all = await screen.findByRole('checkbox', { name: 'Select all on this page' });

  all.focus();
  await user.keyboard(' ');

  expect(screen.getByText('2 selected')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Clear selection' }));
  expect(screen.queryByText('2 selected')).not.toBeInTheDocument();
});

it('says when nothing was changed', async () => {
  const user = userEvent.setup();
  openConsole('/console/issues', { ...ALL_WELL, [STATUS]: () => problem(500, 'Internal Server Error') });

  await user.click(await screen.findByRole('checkbox', { name: 'Select 7KQ4-M2XD' }));
  await user.click(screen.getByRole('button', { name: 'Ignore' }));

  expect(await screen.findByText(/^The change failed/)).toBeInTheDocument();
  expect(screen.getByText('1 selected')).toBeInTheDocument();
});

it('has nothing to tick for those who may only look', async () => {
  const { container } = openConsole('/console/issues', { ...ALL_WELL, 'GET /console/api/session': SUPPORT });

  await screen.findByRole('button', { name: 'sam@example.org' });
  await screen.findByRole('table');

  expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it('says which filter hides how much, and leads around it', async () => {
  const hidden = [
    { filter: 'q', issues: 1_000 },
    { filter: 'status', issues: 1 },
    { filter: 'kind', issues: 3 },
  ];
  const unknownWords = {
    unknown: [],
    nearest: [],
    empty: ['user:'],
    badValues: [],
    known: ['user:', 'url:'],
  };
  const { container } = openConsole('/console/issues?q=x&kind=server', {
    ...ALL_WELL,
    'GET /console/api/issues?status=open&sort=last&q=x&kind=server': listing([], { hidden, unknownWords }),
  });

  await screen.findByRole('heading', { name: 'No matching issues' });

  expect(screen.getByText(/^No value/)).toHaveTextContent(/matches: user:\. Find understands user:, url:\.$/);
  expect(screen.getByText(/^Without the text “x”/)).toHaveTextContent('1,000 or more issues');
  expect(screen.getByRole('link', { name: '1 issue' })).toHaveAttribute(
    'href',
    '/console/issues?status=all&kind=server&q=x',
  );
  expect(screen.getByRole('link', { name: '3 issues' })).toHaveAttribute('href', '/console/issues?q=x');
  expect(await axe(container)).toHaveNoViolations();
});

it('says that there are none', async () => {
  openConsole('/console/issues', { ...ALL_WELL, [OPEN_ISSUES]: listing([]) });

  expect(await screen.findByRole('heading', { name: 'No issues' })).toBeInTheDocument();
});

it('says that nothing matches where no single filter hides it', async () => {
  openConsole('/console/issues?q=x&kind=server', {
    ...ALL_WELL,
    'GET /console/api/issues?status=open&sort=last&q=x&kind=server': listing([]),
  });

  expect(await screen.findByRole('heading', { name: 'No matching issues' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Show all issues' })).toHaveAttribute(
    'href',
    '/console/issues?status=all',
  );
});

it('leads back from a page that is empty by now', async () => {
  openConsole('/console/issues?cursor=two', {
    ...ALL_WELL,
    'GET /console/api/issues?status=open&sort=last&cursor=two': listing([]),
  });

  expect(await screen.findByRole('link', { name: 'Back to the first page' })).toHaveAttribute(
    'href',
    '/console/issues',
  );
});

it('lists feedback that belongs to no error', async () => {
  const entry = {
    id: 1,
    time: '2026-11-21T03:00:00Z',
    message: 'The search finds nothing.',
    name: null,
    contact: null,
    eventId: null,
    url: 'https://shop.example/search',
    provenance: { origin: 'server_key', isConfirmed: true },
  };
  const user = userEvent.setup();
  const { container } = openConsole('/console/issues', {
    ...ALL_WELL,
    'GET /console/api/feedback': () => json({ feedback: [entry], next: 'two' }),
    'GET /console/api/feedback?cursor=two': () =>
      json({ feedback: [{ ...entry, id: 2, message: 'Still nothing.' }], next: null }),
  });

  await user.click(await screen.findByRole('link', { name: 'Feedback' }));
  await user.click(await screen.findByRole('button', { name: 'Show more' }));

  expect(await screen.findByText('Still nothing.')).toBeInTheDocument();
  expect(screen.getAllByRole('link', { name: 'https://shop.example/search' })).toHaveLength(2);
  expect(screen.getByTestId('address')).toHaveTextContent('/console/issues?status=feedback');
  expect(await axe(container)).toHaveNoViolations();
});

it('says that there is no such feedback', async () => {
  openConsole('/console/issues?status=feedback', {
    ...ALL_WELL,
    'GET /console/api/feedback': () => json({ feedback: [], next: null }),
  });

  expect(await screen.findByRole('heading', { name: 'No unlinked feedback' })).toBeInTheDocument();
});

it.each([
  ['/console/issues', OPEN_ISSUES, 'The issues could not be loaded'],
  ['/console/issues?status=feedback', 'GET /console/api/feedback', 'The feedback could not be loaded'],
])('shows in words what the server could not do (%s)', async (path, request, title) => {
  const { container } = openConsole(path, {
    ...ALL_WELL,
    [request]: () => problem(500, 'Internal Server Error', { digest: 'ST0R-ED0W' }),
  });

  expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it.each([
  ['/console/issues', OPEN_ISSUES, 'Loading the issues'],
  ['/console/issues?status=feedback', 'GET /console/api/feedback', 'Loading the feedback'],
])('says that it is loading (%s)', (path, request, label) => {
  openConsole(path, { ...ALL_WELL, [request]: () => new Promise(() => undefined) });

  expect(screen.getByRole('status', { name: label })).toBeInTheDocument();
});

it('draws each sparkline on its own scale, with its maximum', async () => {
  openConsole('/console/issues', {
    ...ALL_WELL,
    [OPEN_ISSUES]: listing([{ ...ISSUE, hours: [1, 79] }, LINKED_ISSUE]),
  });

  expect(await screen.findByText('79/h')).toBeInTheDocument();
  expect(screen.getByText('13/h')).toBeInTheDocument();
});

it('leads to the previous page, and to the one before it', async () => {
  const user = userEvent.setup();
  openConsole('/console/issues', {
    ...ALL_WELL,
    [OPEN_ISSUES]: listing([ISSUE], { next: 'two' }),
    [`${OPEN_ISSUES}&cursor=two`]: listing([LINKED_ISSUE], { next: 'three' }),
    [`${OPEN_ISSUES}&cursor=three`]: listing([ISSUE]),
  });
  await user.click(await screen.findByRole('link', { name: 'Next page ›' }));
  await user.click(await screen.findByRole('link', { name: 'Next page ›' }));

  await user.click(await screen.findByRole('link', { name: '‹ Previous page' }));
  expect(screen.getByTestId('address')).toHaveTextContent('/console/issues?cursor=two');
  await user.click(await screen.findByRole('link', { name: '‹ Previous page' }));

  expect(screen.getByTestId('address')).toHaveTextContent(/^\/console\/issues$/);
  expect(screen.queryByRole('link', { name: '‹ Previous page' })).not.toBeInTheDocument();
});

it.each([
  [38, '38 issues'],
  [1_000, '1,000 or more issues'],
])('shows the total where the server counts it (%i)', async (total, text) => {
  openConsole('/console/issues', { ...ALL_WELL, [OPEN_ISSUES]: listing([ISSUE], { total }) });

  expect(await screen.findByText(text, { selector: 'p' })).toBeInTheDocument();
});

it('loads again by itself after an error', async () => {
  const answers = [() => problem(500, 'Internal Server Error'), listing([ISSUE])];
  openConsole('/console/issues', {
    ...ALL_WELL,
    [OPEN_ISSUES]: () => (answers.shift() ?? listing([ISSUE]))(),
  });
  await screen.findByRole('heading', { name: 'The issues could not be loaded' });

  passInterval(5_000);

  expect(await screen.findByRole('table')).toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: 'The issues could not be loaded' })).not.toBeInTheDocument();
  expect(queryIntervals()).not.toContain(5_000);
});
