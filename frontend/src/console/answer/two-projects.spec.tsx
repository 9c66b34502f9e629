import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { json, problem } from '../../api/fake-server.fixture.ts';
import { ALL_WELL, ANSWER, EVENT, ISSUE, openConsole } from '../console.fixture.tsx';

const PROD = 'https://k@sentry.example/1';
const STAGING = 'https://k@sentry.example/2';
const IN_PROD = `?project=${encodeURIComponent(PROD)}`;
const API = 'GET /console/api/issues/7KQ4-M2XD';
const NOTE = `POST /console/api/issues/7KQ4-M2XD/notes${IN_PROD}`;

/** The answer of one of two projects with the same digest. */
function answerOf(project: string, other: string, title: string) {
  const name = { project, digest: ISSUE.digest, address: ISSUE.digest, isShared: true };
  return json({
    ...ANSWER,
    ...name,
    title,
    latest: { ...EVENT, ...name },
    alsoIn: [{ ...name, project: other, isConfirmed: true, events: 1 }],
  });
}

const PROD_EVENT = { ...EVENT, eventId: 'c'.repeat(32), project: PROD, isShared: true };

/** Staging was seen last. */
const TWO_PROJECTS = {
  ...ALL_WELL,
  [API]: () => answerOf(STAGING, PROD, 'Staging fails'),
  [`${API}${IN_PROD}`]: () => answerOf(PROD, STAGING, 'Production fails'),
  [`GET /console/api/events/${PROD_EVENT.eventId}`]: () => json(PROD_EVENT),
  [`GET /console/api/events/${PROD_EVENT.eventId}${IN_PROD}`]: () => json(PROD_EVENT),
  [`${API}/events${IN_PROD}`]: () => json({ events: [PROD_EVENT], next: 'two' }),
  [`${API}/events${IN_PROD}&cursor=two`]: () => json({ events: [], next: null }),
  [NOTE]: () => json({}),
};

it('says whose issue it shows, and leads to that of the other project', async () => {
  const user = userEvent.setup();
  openConsole('/console/e/7KQ4-M2XD', TWO_PROJECTS);

  expect(await screen.findByRole('heading', { name: 'Staging fails' })).toBeInTheDocument();
  expect(screen.getByText('in project sentry.example/2')).toBeInTheDocument();
  await user.click(screen.getByRole('link', { name: 'sentry.example/1' }));

  expect(await screen.findByRole('heading', { name: 'Production fails' })).toBeInTheDocument();
  expect(screen.getByTestId('address')).toHaveTextContent(`/console/e/7KQ4-M2XD${IN_PROD}`);
});

it('never shows the event of one project on the page of another', async () => {
  openConsole(`/console/e/7KQ4-M2XD?event=${PROD_EVENT.eventId}`, TWO_PROJECTS);

  expect(await screen.findByRole('heading', { name: 'Production fails' })).toBeInTheDocument();
  expect(screen.getByTestId('address')).toHaveTextContent(
    `/console/e/7KQ4-M2XD${IN_PROD}&event=${PROD_EVENT.eventId}`,
  );
});

it('asks for what belongs to the issue, and writes to it, by its project', async () => {
  const user = userEvent.setup();
  const { requests } = openConsole(`/console/e/7KQ4-M2XD${IN_PROD}`, TWO_PROJECTS);

  await user.type(await screen.findByLabelText('Add a note'), 'Only here.');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  await user.click(await screen.findByRole('button', { name: 'Show older' }));

  expect(await screen.findByText('Added.')).toBeInTheDocument();
  expect(requests).toContain(`${NOTE} {"text":"Only here."}`);
  expect(requests).toContain(`${API}/events${IN_PROD}&cursor=two`);
});

it('opens each of two issues of one project with the same digest by its key', async () => {
  const user = userEvent.setup();
  const named = (key: string, title: string) => ({ ...ISSUE, key, address: key, isShared: true, title });
  const issues = [named('3e'.repeat(32), 'Cart fails'), named('4f'.repeat(32), 'Order fails')];
  const path = `/console/e/${'4f'.repeat(32)}?project=1`;
  const { requests } = openConsole('/console/e/7KQ4-M2XD', {
    ...ALL_WELL,
    [API]: () => problem(404, 'Not Found', { detail: 'No error with digest 7KQ4-M2XD.' }),
    'GET /console/api/find?q=7KQ4-M2XD': () =>
      json({ query: '7KQ4-M2XD', reading: 'digest', readings: [], issues, next: null, eventId: null }),
    [`GET ${path.replace('/e/', '/api/issues/')}`]: () => json({ ...ANSWER, ...issues[1] }),
  });

  await user.click(await screen.findByRole('link', { name: 'Order fails' }));

  expect(await screen.findByRole('heading', { name: 'Order fails' })).toBeInTheDocument();
  expect(screen.getByTestId('address')).toHaveTextContent(path);
  expect(requests).toContain(`GET /console/api/issues/${'4f'.repeat(32)}/events?project=1`);
});

/** The two issues of one error: of a server with its key, and of the public key. */
const [CONFIRMED, PUBLIC] = [
  {
    project: '1',
    digest: ISSUE.digest,
    address: ISSUE.digest,
    isShared: false,
    isConfirmed: true,
    events: 1,
  },
  {
    project: '1',
    digest: ISSUE.digest,
    address: '4f'.repeat(32),
    isShared: true,
    isConfirmed: false,
    events: 200,
  },
];
const OF_BROWSER = { ...EVENT, linkedEvent: null, provenance: { origin: 'browser', isConfirmed: false } };
const TWO_SENDERS = {
  ...ALL_WELL,
  [API]: () => json({ ...ANSWER, ...CONFIRMED, title: 'Cart fails', alsoIn: [PUBLIC] }),
  [`GET /console/api/issues/${PUBLIC?.address}?project=1`]: () =>
    json({ ...ANSWER, ...PUBLIC, title: 'Forged', latest: OF_BROWSER, alsoIn: [CONFIRMED] }),
};

it('leads from the events of a server to those with the public key, and back', async () => {
  const user = userEvent.setup();
  openConsole('/console/e/7KQ4-M2XD', TWO_SENDERS);

  await user.click(await screen.findByRole('link', { name: 'also sent with the public key: 200 events' }));
  expect(await screen.findByRole('heading', { name: 'Forged' })).toBeInTheDocument();
  expect(screen.queryByText(/in project/)).not.toBeInTheDocument();
  await user.click(screen.getByRole('link', { name: 'also sent by a server: 1 event' }));

  expect(await screen.findByRole('heading', { name: 'Cart fails' })).toBeInTheDocument();
});

it.each([
  ['a server, by the public key', {}, true],
  ['a browser', { kind: 'browser' }, false],
  ['a confirmed sender', { isConfirmed: true }, false],
  [
    'an earlier version',
    { latest: { ...OF_BROWSER, provenance: { origin: 'unknown', isConfirmed: false } } },
    false,
  ],
  ['deleted events', { latest: null }, false],
])('leads to the server key on an issue of %s', async (_name, change, isThere) => {
  const answer = { ...ANSWER, isConfirmed: false, latest: OF_BROWSER, ...change };
  openConsole('/console/e/7KQ4-M2XD', { ...ALL_WELL, [API]: () => json(answer) });

  await screen.findByRole('heading', { name: ANSWER.title });

  expect(screen.queryAllByText('public key')).toHaveLength(isThere ? 1 : 0);
  const links = screen.queryAllByRole('link', { name: 'Set up the server key' });
  expect(links.map((link) => link.getAttribute('href'))).toEqual(isThere ? ['/console/setup'] : []);
});
