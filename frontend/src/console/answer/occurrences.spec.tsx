import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { json } from '../../api/fake-server.fixture.ts';
import { ALL_WELL, ANSWER, ISSUE, LINKED_ISSUE, occurrence, openConsole } from '../console.fixture.tsx';

const PATH = '/console/e/7KQ4-M2XD';
const EVENTS = 'GET /console/api/issues/7KQ4-M2XD/events';
const ANN = 'ann@example.org';
const OF_ANN = `${EVENTS}?q=user%3A%22ann%40example.org%22`;

/** The events of two users; those of one are a list of their own. */
const TWO_USERS = {
  ...ALL_WELL,
  [EVENTS]: () => json({ events: [occurrence(1), { ...occurrence(2), user: ANN }], next: null }),
  [OF_ANN]: () => json({ events: [{ ...occurrence(2), user: ANN }], next: null }),
};

async function rowsOf(path: string): Promise<readonly (string | null)[]> {
  const row = (await screen.findByText(path)).closest('tr') ?? document.body;
  return Array.from(row.children, (cell) => cell.textContent);
}

it.each([
  ['server', ISSUE, 'Server', 'web-7d9-x2'],
  ['browser', LINKED_ISSUE, 'Browser', 'Firefox 149 on macOS'],
] as const)('shows user, release and %s of each event', async (_kind, { kind }, heading, sender) => {
  const { container } = openConsole(PATH, {
    ...TWO_USERS,
    'GET /console/api/issues/7KQ4-M2XD': () => json({ ...ANSWER, kind }),
  });

  const cells = await rowsOf('/checkout/2');

  expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual([
    'Time',
    'Reference',
    'Path',
    'User',
    heading,
    'Release',
  ]);
  expect(cells.slice(1)).toEqual(['0000-0002', '/checkout/2', ANN, sender, '1.4.2']);
  expect(await axe(container)).toHaveNoViolations();
});

it('lists the events of a user whose name is clicked, and all again', async () => {
  const user = userEvent.setup();
  openConsole(PATH, TWO_USERS);

  const name = await screen.findByRole('button', { name: ANN });
  await user.click(name);

  expect(await screen.findByText(`1 event of ${ANN}`)).toBeInTheDocument();
  expect(screen.getByRole('table', { name: 'Events' }).textContent).not.toContain('/checkout/1');
  expect(name).toHaveFocus();
  await user.clear(screen.getByRole('searchbox', { name: /^Filter/ }));
  await user.click(screen.getByRole('button', { name: 'Filter' }));
  expect(await screen.findByRole('cell', { name: '/checkout/1' })).toBeInTheDocument();
});

it.each(['ann@example.org', ' user:ann@example.org', 'USER: ann@example.org'])(
  'lists the events of a typed user: %s',
  async (text) => {
    const user = userEvent.setup();
    const { requests } = openConsole(PATH, TWO_USERS);

    await user.type(await screen.findByRole('searchbox', { name: /^Filter/ }), `${text}{Enter}`);

    expect(await screen.findByText(`1 event of ${ANN}`)).toBeInTheDocument();
    expect(requests).toContain(OF_ANN);
  },
);

it('says since when it has searched, and reads on', async () => {
  const user = userEvent.setup();
  const since = '2026-11-20T03:00:00Z';
  const searched = { events: 20_000, since, isAll: false };
  const { container } = openConsole(PATH, {
    ...TWO_USERS,
    [OF_ANN]: () => json({ events: [], next: 'two', searched }),
    [`${OF_ANN}&cursor=two`]: () => json({ events: [{ ...occurrence(3), user: ANN }], next: null }),
  });

  await user.click(await screen.findByRole('button', { name: ANN }));

  const note = await screen.findByText(/^Searched the events since/);
  expect(within(note).getByText(/20 Nov/)).toHaveAttribute('datetime', since);
  expect(screen.getByText(`No stored events of ${ANN}.`)).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
  await user.click(screen.getByRole('button', { name: 'Show older' }));
  expect(await screen.findByText('/checkout/3')).toBeInTheDocument();
  expect(screen.queryByText(/^Searched the events since/)).not.toBeInTheDocument();
});
