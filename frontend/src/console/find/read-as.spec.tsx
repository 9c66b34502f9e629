import type { FindAnswer, FindReading, ReadText } from '@errata/backend/contract/find-api.ts';
import { render, screen, within } from '@testing-library/react';
import { axe } from 'jest-axe';
import { json } from '../../api/fake-server.fixture.ts';
import { ALL_WELL, ISSUE, LINKED_ISSUE, occurrence, openConsole } from '../console.fixture.tsx';
import { CutNote, ReadAs, SearchedNote } from './read-as.tsx';

const QUERY = '4711-AB';

function textOf(change: Partial<FindAnswer>): string | null {
  const answer = { query: QUERY, reading: 'tag' as const, readings: [], issues: [] };
  return render(<ReadAs {...answer} {...change} />).container.textContent;
}

function readAs(...kinds: readonly FindReading[]): readonly ReadText[] {
  return kinds.map((as) => ({ as, value: QUERY }));
}

it.each<[FindReading, string]>([
  ['digest', 'Read as a digest. Nothing was found under it.'],
  ['reference', 'Read as a reference. Nothing was found under it.'],
  ['event_id', 'Read as an event ID. Nothing was found under it.'],
  ['trace_id', 'Read as a trace ID. Nothing was found under it.'],
  ['request_id', 'Read as a request ID. Nothing was found under it.'],
  ['user', 'Read as a user. Nothing was found under it.'],
  ['url', 'Read as a URL. Nothing was found under it.'],
  ['release', 'Read as a release. Nothing was found under it.'],
  ['environment', 'Read as an environment. Nothing was found under it.'],
  ['server', 'Read as a server. Nothing was found under it.'],
  ['tag', 'Read as a code of your application. Nothing was found under it.'],
  ['client_sentence', ''],
  ['server_sentence', ''],
  ['text', ''],
  ['nothing', ''],
])('says that a text was read as a %s', (as, text) => {
  expect(textOf({ reading: as, readings: readAs(as) })).toBe(text);
});

it.each<[Partial<FindAnswer>, string]>([
  [
    { readings: readAs('trace_id', 'event_id') },
    'Read as a trace ID and as an event ID. Nothing was found under either.',
  ],
  [
    { readings: readAs('digest', 'reference', 'tag', 'text') },
    'Read as a digest, as a reference and as a code of your application. Nothing was found under any of them.',
  ],
  [
    { readings: [{ as: 'request_id', value: 'f00d' }] },
    'Read as a request ID (f00d). Nothing was found under it.',
  ],
  [
    { readings: readAs('digest', 'tag', 'text'), issues: [{ ...ISSUE, match: null }] },
    'Read as a code of your application.',
  ],
  [
    { readings: [1, 2, 3, 4, 5, 6, 7, 8].map((value) => ({ as: 'tag', value: `code-${value}` })) },
    expect.stringMatching(/code-6\) and in 2 other ways\. Nothing was found under any of them\.$/),
  ],
])('names all ways of a miss, and the one that has found something', (answer, text) => {
  expect(textOf(answer)).toEqual(text);
});

it.each([
  [readAs('user', 'release'), 'No event has all of them.'],
  [readAs('user', 'release', 'text'), 'No event has all of them and the rest of the text.'],
  [readAs('user', 'text'), 'Nothing was found under it.'],
])('says of a miss of several filters that none has all: %j', (readings, words) => {
  const query = 'User:4711-AB release:4711-AB';

  expect(textOf({ query, readings })).toContain(`). ${words}`);
});

const IDS =
  ' These are the IDs of trace, request and user, the path, release, environment and server, the first 12 tags, and the first codes in fingerprint, extra data and message. Query strings, bodies, breadcrumbs and other contexts were not searched.';

it.each([
  [undefined, '', ''],
  [
    { events: 12, since: '2026-11-20T03:00:00Z', isAll: true },
    'The IDs of all stored events were searched.',
    IDS,
  ],
  [
    { events: 2_000_000, since: '2026-11-20T03:00:00Z', isAll: false },
    'The IDs of the newest 2,000,000 events were searched, those since 20 Nov, 03:00:00 UTC. Older ones may match.',
    IDS,
  ],
  [{ events: 0, since: null, isAll: false }, 'The stored events are older than the search for IDs.', ''],
])('says how far back it has searched, and after a miss in what: %j', (searched, text, ids) => {
  const textOfNote = (issues: FindAnswer['issues']) =>
    render(<SearchedNote issues={issues} {...(searched && { searched })} />).container.textContent;

  expect(textOfNote([{ ...ISSUE, match: null }])).toBe(text);
  expect(textOfNote([])).toBe(text + ids);
});

it.each([
  [undefined, ''],
  [true, 'More events match than are listed here: some errors are missing.'],
])('says that results are missing: %s', (isCut, text) => {
  expect(render(<CutNote {...(isCut && { isCut })} />).container.textContent).toBe(text);
});

/** Opens Find with the answer for a text. */
function ask(answer: object) {
  return openConsole('/console?q=x', {
    ...ALL_WELL,
    'GET /console/api/find?q=x': () =>
      json({
        query: 'x',
        reading: 'tag',
        readings: [{ as: 'tag', value: 'x' }],
        issues: [],
        eventId: null,
        ...answer,
      }),
  });
}

function matching(number: number) {
  const { eventId, reference, time } = occurrence(number);
  return { eventId, reference, time };
}

it('opens the matching event of the only issue', async () => {
  ask({ issues: [{ ...ISSUE, match: matching(2) }] });

  await screen.findByRole('heading', { level: 1, name: ISSUE.title });

  expect(screen.getByTestId('address')).toHaveTextContent(
    `/console/e/7KQ4-M2XD?event=${occurrence(2).eventId}`,
  );
});

it.each(['user', 'url', 'release'])(
  'opens no other event where that of a %s was not found',
  async (reading) => {
    const { container } = ask({ reading, issues: [{ ...ISSUE, match: null }] });

    const list = await screen.findByRole('list', { name: 'Matching errors' });

    expect(within(list).getByText('the matching event is not among those searched')).toBeInTheDocument();
    expect(within(list).getByRole('link')).toHaveAttribute('href', '/console/e/7KQ4-M2XD');
    expect(await axe(container)).toHaveNoViolations();
  },
);

it('says in a row that no single event matches all filters', async () => {
  const readings = [
    { as: 'user', value: 'ann' },
    { as: 'release', value: 'shop@2' },
  ];
  ask({ reading: 'user', readings, issues: [{ ...ISSUE, match: null }] });

  const list = await screen.findByRole('list', { name: 'Matching errors' });

  expect(within(list).getByText('no event that was searched matches all filters')).toBeInTheDocument();
  expect(within(list).getByRole('link')).toHaveAttribute('href', '/console/e/7KQ4-M2XD');
});

it('leads from each of several issues to its matching event', async () => {
  const { container } = ask({
    issues: [
      { ...ISSUE, match: matching(2) },
      { ...LINKED_ISSUE, match: null },
    ],
    searched: { events: 50_000, since: '2026-11-20T03:00:00Z', isAll: false },
  });

  const list = await screen.findByRole('list', { name: 'Matching errors' });
  const [first, second] = within(list).getAllByRole('link');

  expect(first).toHaveAttribute('href', `/console/e/7KQ4-M2XD?event=${occurrence(2).eventId}`);
  expect(second).toHaveAttribute('href', '/console/e/9XWE-H3V7');
  expect(within(list).getByText(/^matching event/)).toHaveTextContent('matching event 0000-0002');
  expect(screen.getByText(/^Read as/)).toHaveTextContent('Read as a code of your application.');
  expect(screen.getByText(/^The IDs of the newest 50,000 events/)).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it.each([
  [
    'client_sentence',
    'Browser errors of the last hour',
    /the Reference that the browser’s developer console shows/,
  ],
  ['server_sentence', 'Server errors of the last hour', /the digest or the reference below it/],
])('says what to ask for behind a %s, and lists what failed lately', async (reading, title, tip) => {
  const readings = [{ as: reading, value: 'x' }];
  const { container } = ask({ reading, readings, hint: { similar: [], recent: [ISSUE], lost: null } });

  const notice = await screen.findByRole('alert');

  expect(within(notice).getByRole('heading', { name: 'This sentence names no error' })).toBeInTheDocument();
  expect(notice).toHaveTextContent(tip);
  expect(within(screen.getByRole('list', { name: title })).getByRole('link')).toHaveTextContent(ISSUE.title);
  expect(screen.queryByRole('region', { name: 'Possible reasons' })).not.toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it('says that nothing failed in the last hour', async () => {
  const reading = 'client_sentence';
  ask({ reading, readings: [{ as: reading, value: 'x' }], hint: { similar: [], recent: [], lost: null } });

  expect(await screen.findByRole('region', { name: 'Browser errors of the last hour' })).toHaveTextContent(
    'None.',
  );
});
