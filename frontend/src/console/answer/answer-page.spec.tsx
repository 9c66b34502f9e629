import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { json, problem } from '../../api/fake-server.fixture.ts';
import { ALL_WELL, ANSWER, EVENT, ISSUE, OPERATOR, occurrence, openConsole } from '../console.fixture.tsx';

const PATH = '/console/e/7KQ4-M2XD';

afterEach(() => window.sessionStorage.clear());

function answering(change: object) {
  return { ...ALL_WELL, 'GET /console/api/issues/7KQ4-M2XD': () => json({ ...ANSWER, ...change }) };
}

it('answers what failed, how often and since when', async () => {
  const { container } = openConsole(PATH, ALL_WELL);

  await screen.findByText('/checkout/2');

  expect(screen.getByRole('heading', { level: 1, name: ISSUE.title })).toBeInTheDocument();
  expect(screen.getByText('38 events', { selector: 'strong' })).toBeInTheDocument();
  expect(screen.getByText('seen in 1.4.0 … 1.4.2')).toBeInTheDocument();
  expect(
    screen.getByRole('slider', { name: '38 in the last 24 hours, max 26 per hour' }),
  ).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Copy digest' })).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it.each([
  ['1.4.2', 'release 1.4.2 new in this release'],
  ['1.4.0', 'seen in 1.4.0 … 1.4.2'],
  [null, 'release 1.4.2'],
])('says whether the release introduced it (first in %s)', async (firstRelease, words) => {
  openConsole(PATH, answering({ firstRelease }));

  expect(await screen.findByText(/^(?:release|seen in) 1\.4/)).toHaveTextContent(words);
});

it('names span and maximum of each histogram', async () => {
  openConsole(PATH, ALL_WELL);

  expect(await screen.findByText('38 in the last 24 hours, max 26 per hour')).toBeInTheDocument();
  expect(screen.getByText('38 in the last 28 days, max 38 per day')).toBeInTheDocument();
});

it('lands at the occurrence that was chosen in the list', async () => {
  const user = userEvent.setup();
  openConsole(PATH, {
    ...ALL_WELL,
    [`GET /console/api/events/${occurrence(2).eventId}`]: () => json({ ...EVENT, ...occurrence(2) }),
  });
  const row = (await screen.findByText('/checkout/2')).closest('tr');

  await user.click(within(row ?? document.body).getByRole('link'));

  expect(screen.getByRole('region', { name: 'Occurrence' })).toHaveFocus();
});

it('says that it came back after it was resolved', async () => {
  openConsole(PATH, answering({ regressed: '2026-11-21T03:00:00Z' }));

  expect(await screen.findAllByText(/^regressed/)).toHaveLength(2);
});

it('shows the failing line of the own code, and folds the framework', async () => {
  openConsole(PATH, ALL_WELL);

  const line = await screen.findByText('return items.length;');

  expect(line.closest('details')).toHaveAttribute('open');
  expect(line.parentElement).toHaveTextContent('failing line 42');
  expect(screen.getByText('1 frame hidden').closest('details')).not.toHaveAttribute('open');
});

it('shows the chain of causes in order', async () => {
  openConsole(PATH, ALL_WELL);

  await screen.findByRole('heading', { level: 1, name: ISSUE.title });

  const cause = screen.getByRole('region', { name: 'Cause' });
  expect(
    within(cause)
      .getAllByRole('heading', { level: 3 })
      .map((heading) => heading.textContent),
  ).toEqual(['TypeErrorcart is undefined', 'caused byDatabaseErrorno such row']);
});

it('links the event of the same failure from the other source', async () => {
  openConsole(PATH, ALL_WELL);

  const list = await screen.findByRole('list', { name: 'Errors it caused in the browser' });

  expect(within(list).getByRole('link')).toHaveAttribute('href', '/console/e/9XWE-H3V7');
});

it('says why a stack stayed minified', async () => {
  openConsole(PATH, answering({ latest: { ...EVENT, unmapped: 'minified: no source map for old.js' } }));

  expect(await screen.findByText(/no source map for/)).toHaveTextContent(
    'Minified: no source map for old.js.',
  );
});

it('says why a mapped stack has no source lines', async () => {
  const exceptions = EVENT.exceptions.map((exception) => ({
    ...exception,
    frames: exception.frames.map((frame) => ({ ...frame, source: [] })),
  }));
  openConsole(PATH, answering({ latest: { ...EVENT, exceptions } }));

  expect(await screen.findByText(/^No source lines/)).toHaveTextContent('compile with inlineSources');
});

it('says when only the counts are left', async () => {
  openConsole(PATH, answering({ latest: null }));

  expect(await screen.findByRole('heading', { name: 'Events expired' })).toBeInTheDocument();
});

it('steps to an older occurrence and shows its stack', async () => {
  const user = userEvent.setup();
  openConsole(PATH, {
    ...ALL_WELL,
    [`GET /console/api/events/${occurrence(2).eventId}`]: () =>
      json({ ...EVENT, ...occurrence(2), exceptions: [{ type: 'RangeError', value: 'second', frames: [] }] }),
  });

  await user.click(await screen.findByRole('link', { name: 'Older ›' }));

  expect(await screen.findByText('RangeError')).toBeInTheDocument();
  expect(screen.getByText('2 of 38')).toBeInTheDocument();
  expect(screen.getByTestId('address')).toHaveTextContent(`${PATH}?event=${occurrence(2).eventId}`);
  expect(screen.getByRole('region', { name: 'Occurrence' })).not.toHaveFocus();
});

it('keeps the newest in sight, and a half-written note, until the older one is here', async () => {
  const user = userEvent.setup();
  const { container } = openConsole(PATH, {
    ...ALL_WELL,
    'GET /console/api/session': OPERATOR,
    [`GET /console/api/events/${occurrence(2).eventId}`]: () => new Promise(() => undefined),
  });
  await user.type(await screen.findByLabelText('Add a note'), 'It was the cou');

  await user.click(await screen.findByRole('link', { name: 'Older ›' }));

  expect(screen.getByTestId('address')).toHaveTextContent(`${PATH}?event=${occurrence(2).eventId}`);
  expect(container.querySelector('[aria-busy="true"]')).toHaveTextContent('return items.length;');
  expect(screen.getByRole('link', { name: 'Older ›' })).toHaveFocus();
  expect(screen.getByLabelText('Add a note')).toHaveValue('It was the cou');
});

it('says that an occurrence is not here any more, keeps the note, and leads to the newest', async () => {
  const user = userEvent.setup();
  const { container } = openConsole(PATH, { ...ALL_WELL, 'GET /console/api/session': OPERATOR });
  await user.type(await screen.findByLabelText('Add a note'), 'It was the cou');

  await user.click(await screen.findByRole('link', { name: 'Older ›' }));

  expect(await screen.findByRole('alert')).toHaveTextContent('Event not found');
  expect(screen.getByRole('link', { name: 'Show the newest event' })).toHaveAttribute('href', PATH);
  expect(screen.getByText('2 of 38')).toBeInTheDocument();
  expect(screen.getByLabelText('Add a note')).toHaveValue('It was the cou');
  expect(await axe(container)).toHaveNoViolations();
});

it('shows the stack of the newest full occurrence for a repeat that was kept without one', async () => {
  openConsole(`${PATH}?event=${occurrence(2).eventId}`, {
    ...ALL_WELL,
    [`GET /console/api/events/${occurrence(2).eventId}`]: () =>
      json({ ...EVENT, ...occurrence(2), exceptions: [], brief: true }),
  });

  expect(await screen.findByText(/^High-volume issue/)).toBeInTheDocument();
  expect(screen.getByText('return items.length;')).toBeInTheDocument();
});

it('leads to the newer neighbour also from the one that is shown first', async () => {
  openConsole(PATH, answering({ latest: { ...EVENT, ...occurrence(2) } }));

  const link = await screen.findByRole('link', { name: '‹ Newer' });

  expect(link).toHaveAttribute('href', `${PATH}?event=${occurrence(1).eventId}`);
});

it('loads on where the shown occurrence is the last of the loaded ones', async () => {
  const user = userEvent.setup();
  openConsole(`${PATH}?event=${occurrence(2).eventId}`, {
    ...ALL_WELL,
    [`GET /console/api/events/${occurrence(2).eventId}`]: () => json({ ...EVENT, ...occurrence(2) }),
    [`GET /console/api/events/${occurrence(3).eventId}`]: () => json({ ...EVENT, ...occurrence(3) }),
  });

  await user.click(await screen.findByRole('link', { name: 'Older ›' }));

  expect(await screen.findByText('3 of 38')).toBeInTheDocument();
});

it('says so when no older occurrence could be loaded, and asks once', async () => {
  const user = userEvent.setup();
  const answers = [problem(500, 'Internal Server Error'), json({ events: [occurrence(3)], next: null })];
  openConsole(`${PATH}?event=${occurrence(2).eventId}`, {
    ...ALL_WELL,
    'GET /console/api/issues/7KQ4-M2XD/events?cursor=two': () => answers.shift() ?? json({}),
    [`GET /console/api/events/${occurrence(2).eventId}`]: () => json({ ...EVENT, ...occurrence(2) }),
  });

  await user.click(await screen.findByRole('button', { name: 'Try again' }));

  expect(await screen.findByText('/checkout/3')).toBeInTheDocument();
  expect(screen.getByText('2 of 38')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Older ›' })).toBeInTheDocument();
});

it('says why an occurrence has no neighbours, until the list is loaded that far', async () => {
  const user = userEvent.setup();
  openConsole(`${PATH}?event=${occurrence(3).eventId}`, {
    ...ALL_WELL,
    [`GET /console/api/events/${occurrence(3).eventId}`]: () => json({ ...EVENT, ...occurrence(3) }),
  });

  expect(await screen.findByText('not among the newest 2')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: '‹ Newest' })).toHaveAttribute('href', PATH);
  await user.click(screen.getByRole('button', { name: 'Show older' }));

  expect(await screen.findByText('3 of 38')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: '‹ Newer' })).toBeInTheDocument();
});

it('lists the occurrences page by page', async () => {
  const user = userEvent.setup();
  openConsole(PATH, ALL_WELL);

  await user.click(await screen.findByRole('button', { name: 'Show older' }));

  expect(await screen.findByText('/checkout/3')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Show older' })).not.toBeInTheDocument();
});

it('finds its way from the start of a digest to the digest', async () => {
  openConsole('/console/e/7kq4', {
    ...ALL_WELL,
    'GET /console/api/find?q=7kq4': () =>
      json({ query: '7kq4', reading: 'digest', readings: [], issues: [ISSUE], eventId: null }),
  });

  expect(await screen.findByRole('heading', { level: 1, name: ISSUE.title })).toBeInTheDocument();
  expect(screen.getByTestId('address')).toHaveTextContent(PATH);
});

it('explains an unknown digest, and keeps crawlers away', async () => {
  const { container } = openConsole('/console/e/XXXX-0000', {
    ...ALL_WELL,
    'GET /console/api/find?q=XXXX-0000': () =>
      json({ query: 'XXXX-0000', reading: 'digest', readings: [], issues: [], eventId: null }),
  });

  expect(await screen.findByRole('heading', { name: 'No error found for this digest' })).toBeInTheDocument();
  expect(document.head.querySelector('meta[name="robots"]')).toHaveAttribute('content', 'noindex');
  expect(await axe(container)).toHaveNoViolations();
});

it('shows in words what the server could not do', async () => {
  const { container } = openConsole(PATH, {
    ...ALL_WELL,
    'GET /console/api/issues/7KQ4-M2XD': () => problem(500, 'Internal Server Error', { digest: 'ST0R-ED0W' }),
  });

  expect(await screen.findByRole('alert')).toHaveTextContent('Internal Server Error (status 500)');
  expect(await axe(container)).toHaveNoViolations();
});

it('says that it is loading', async () => {
  const { container } = openConsole(PATH, {
    ...ALL_WELL,
    'GET /console/api/issues/7KQ4-M2XD': () => new Promise(() => undefined),
  });

  await screen.findByRole('button', { name: 'ann' });

  expect(screen.getByRole('status', { name: 'Loading the answer' })).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});
