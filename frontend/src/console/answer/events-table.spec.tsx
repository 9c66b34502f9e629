import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { json } from '../../api/fake-server.fixture.ts';
import { ALL_WELL, ANSWER, EVENT, occurrence, openConsole } from '../console.fixture.tsx';

const PATH = '/console/e/7KQ4-M2XD';
const EVENTS = 'GET /console/api/issues/7KQ4-M2XD/events';
const ANN = 'ann@example.org';
const [OF_ANN, NOT_OF_ANN] = ['user:', '-user:'].map(
  (filter) => `${EVENTS}?q=${encodeURIComponent(filter + ANN)}`,
);

function eventsOf(user: string | null, ...numbers: readonly number[]) {
  return numbers.map((number) => ({ ...occurrence(number), user }));
}

function searched(events: number, isAll: boolean) {
  return { events, since: '2026-11-20T03:00:00Z', isAll };
}

/** The events of two users; those of one, and those of the other, are lists of their own. */
const TWO_USERS = {
  ...ALL_WELL,
  [EVENTS]: () =>
    json({ events: [...eventsOf(null, 1), ...eventsOf(ANN, 2), ...eventsOf(null, 3)], next: null }),
  [`${OF_ANN}`]: () => json({ events: eventsOf(ANN, 2, 4), next: null, searched: searched(38, true) }),
  [`${NOT_OF_ANN}`]: () => json({ events: eventsOf(null, 1, 3), next: null, searched: searched(38, true) }),
  ...Object.fromEntries(
    [2, 4].map((number) => [
      `GET /console/api/events/${occurrence(number).eventId}`,
      () => json({ ...EVENT, ...occurrence(number), user: ANN }),
    ]),
  ),
};

async function table() {
  return within(await screen.findByRole('table', { name: 'Events' }));
}

async function pathsAfter(text: string): Promise<readonly (string | undefined)[]> {
  await screen.findAllByText(text);
  return (await table()).getAllByRole('row').map((row) => row.textContent.match(/\/checkout\/\d/)?.[0]);
}

it('shows user, path, release, server and browser of each event', async () => {
  const { container } = openConsole(PATH, TWO_USERS);

  const row = (await screen.findByText('/checkout/2')).closest('tr');

  expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual([
    'Time',
    'User',
    'Path',
    'Release',
    'Server',
    'Browser',
  ]);
  expect(Array.from(row?.children ?? [], (cell) => cell.textContent).slice(1)).toEqual([
    ANN,
    '/checkout/2',
    '1.4.2',
    'web-7d9-x2',
    'Firefox 149 on macOS',
  ]);
  expect(await axe(container)).toHaveNoViolations();
});

it('lists the events with a clicked value, then those without it, then all', async () => {
  const user = userEvent.setup();
  openConsole(PATH, TWO_USERS);
  const facts = within(await screen.findByRole('region', { name: 'Key facts' }));
  const value = facts.getByRole('link', { name: ANN });

  await user.click(value);
  expect(await pathsAfter('2 of all 38 events match.')).toEqual([undefined, '/checkout/2', '/checkout/4']);
  expect(screen.getByTestId('address')).toHaveTextContent(`${PATH}?q=user%3Aann%40example.org`);
  expect(value).toHaveFocus();
  expect(value).toHaveAttribute('aria-current', 'true');

  await user.click(value);
  expect(await screen.findByText('/checkout/3')).toBeInTheDocument();
  expect(await pathsAfter('2 of all 38 events match.')).toEqual([undefined, '/checkout/1', '/checkout/3']);
  expect(value).toHaveTextContent(`not ${ANN}`);

  await user.click(value);
  expect(await screen.findByText('/checkout/2')).toBeInTheDocument();
  expect(screen.getByTestId('address')).toHaveTextContent(PATH);
  expect(screen.getByRole('searchbox', { name: /^Filter/ })).toHaveValue('');
});

it('filters by a typed search, and keeps the event that is read', async () => {
  const user = userEvent.setup();
  const { back } = openConsole(`${PATH}?event=${occurrence(2).eventId}`, TWO_USERS);

  await user.type(await screen.findByRole('searchbox', { name: /^Filter/ }), `user:${ANN}{Enter}`);

  expect(await screen.findAllByText('2 of all 38 events match.')).toHaveLength(2);
  expect(screen.getByTestId('address')).toHaveTextContent(
    `${PATH}?event=${occurrence(2).eventId}&q=user%3Aann%40example.org`,
  );
  act(back);
  expect(await screen.findByText('/checkout/1')).toBeInTheDocument();
  expect(screen.getByRole('searchbox', { name: /^Filter/ })).toHaveValue('');
});

it('steps inside the filter', async () => {
  const user = userEvent.setup();
  openConsole(`${PATH}?q=user%3Aann%40example.org`, TWO_USERS);

  await user.click(await screen.findByRole('link', { name: '‹ Newest match' }));
  expect(await screen.findByText('1 of 2 matching')).toBeInTheDocument();
  await user.click(screen.getByRole('link', { name: 'Older ›' }));

  expect(await screen.findByText('2 of 2 matching')).toBeInTheDocument();
  expect(screen.getByTestId('address')).toHaveTextContent(
    `${PATH}?event=${occurrence(4).eventId}&q=user%3Aann%40example.org`,
  );
  expect(screen.queryByRole('link', { name: 'Older ›' })).not.toBeInTheDocument();
  expect(screen.getByRole('link', { name: '‹ Newer' })).toHaveAttribute(
    'href',
    `${PATH}?event=${occurrence(2).eventId}&q=user%3Aann%40example.org`,
  );
});

it.each([
  [1, 'two', 'does not match the filter'],
  [3, 'two', 'does not match the filter'],
  [5, 'two', 'not among the newest 2 matching'],
  [5, null, 'does not match the filter'],
])('says of event %i outside of the filter, with the next page %j: %s', async (number, next, words) => {
  const { eventId } = occurrence(number);
  openConsole(`${PATH}?event=${eventId}&q=user%3Aann%40example.org`, {
    ...TWO_USERS,
    [`${OF_ANN}`]: () => json({ events: eventsOf(ANN, 2, 4), next, searched: searched(38, next === null) }),
    [`GET /console/api/events/${eventId}`]: () => json({ ...EVENT, ...occurrence(number) }),
  });

  expect(await screen.findByText(words)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: '‹ Newest match' })).toBeInTheDocument();
});

it('says how many events match before all are loaded, and reads no further than an empty page', async () => {
  const facets = { of: 900, searched: searched(900, true), facets: [], changed: [] };
  openConsole(`${PATH}?event=${occurrence(4).eventId}&q=user%3Aann%40example.org`, {
    ...TWO_USERS,
    [`${OF_ANN}`.replace('/events', '/facets')]: () => json(facets),
    [`${OF_ANN}`]: () =>
      json({ events: eventsOf(ANN, 2, 4), next: 'two', searched: searched(20_000, false) }),
    [`${OF_ANN}&cursor=two`]: () => json({ events: [], next: 'three', searched: searched(20_000, false) }),
  });

  expect(await screen.findByText('2 of 900 matching')).toBeInTheDocument();
  expect(await screen.findAllByText('2 of the newest 40,000 events match.')).toHaveLength(2);
  expect(screen.getByRole('button', { name: 'Search older' })).toBeEnabled();
});

it('leads from a row to its event and keeps the filter', async () => {
  const user = userEvent.setup();
  openConsole(`${PATH}?q=user%3Aann%40example.org`, TWO_USERS);
  const row = (await screen.findByText('/checkout/4')).closest('tr');

  await user.click(within(row ?? document.body).getByRole('link', { name: /Nov/ }));

  expect(await screen.findByText('2 of 2 matching')).toBeInTheDocument();
  expect(screen.getByRole('region', { name: 'Occurrence' })).toHaveFocus();
});

it('says how far it has searched, and reads on', async () => {
  const user = userEvent.setup();
  const { container } = openConsole(`${PATH}?q=user%3Aann%40example.org`, {
    ...TWO_USERS,
    [`${OF_ANN}`]: () => json({ events: [], next: 'two', searched: searched(20_000, false) }),
    [`${OF_ANN}&cursor=two`]: () =>
      json({ events: eventsOf(ANN, 3), next: null, searched: searched(1_000, true) }),
  });

  expect(await screen.findAllByText('0 of the newest 20,000 events match.')).toHaveLength(2);
  expect(await axe(container)).toHaveNoViolations();
  await user.click(screen.getByRole('button', { name: 'Search older' }));

  expect(await screen.findAllByText('1 of all 21,000 events matches.')).toHaveLength(2);
  expect(screen.getByText('/checkout/3')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Search older' })).not.toBeInTheDocument();
});

it('counts no events where a filter has a value that none can have', async () => {
  openConsole(`${PATH}?q=user%3Aann%40example.org`, {
    ...TWO_USERS,
    [`${OF_ANN}`]: () => json({ events: [], next: null, searched: { ...searched(0, true), since: null } }),
  });

  expect(await screen.findAllByText('No events match.')).toHaveLength(2);
});

it('names words that are no filter', async () => {
  const unknownWords = {
    unknown: ['cart'],
    nearest: [],
    empty: [],
    badValues: [],
    known: ['release:', 'user:'],
  };
  openConsole(`${PATH}?q=cart`, {
    ...TWO_USERS,
    [`${EVENTS}?q=cart`]: () => json({ events: eventsOf(null, 1), next: null, unknownWords }),
  });

  expect(await screen.findByText(/^No filter of events/)).toHaveTextContent(
    'No filter of events, so not searched: cart. Known filters: release:, user:.',
  );
  expect((await table()).getByText('/checkout/1')).toBeInTheDocument();
});

it('says that no event is stored', async () => {
  openConsole(PATH, {
    ...TWO_USERS,
    'GET /console/api/issues/7KQ4-M2XD': () => json({ ...ANSWER, latest: null }),
    [EVENTS]: () => json({ events: [], next: null }),
  });

  expect(await screen.findByText('No stored events.')).toBeInTheDocument();
});
