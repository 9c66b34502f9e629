import type { FindHint } from '@errata/backend/contract/find-api.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { json, problem } from '../../api/fake-server.fixture.ts';
import { ALL_WELL, ISSUE, OPEN_ISSUES, LINKED_ISSUE, openConsole } from '../console.fixture.tsx';

function found(issues: readonly unknown[], rest: object = {}) {
  return () => json({ query: 'q', reading: 'digest', readings: [], issues, eventId: null, ...rest });
}

it('waits for a paste, and lists what failed lately', async () => {
  const { container } = openConsole('/console', ALL_WELL);

  const list = await screen.findByRole('list', { name: 'Recent errors' });

  expect(screen.getByRole('textbox', { name: /^Paste a digest/ })).toHaveFocus();
  expect(within(list).getByRole('link', { name: 'TypeError: cart is undefined' })).toHaveAttribute(
    'href',
    '/console/e/7KQ4-M2XD',
  );
  expect(await axe(container)).toHaveNoViolations();
});

it('leads from a pasted message straight to the answer', async () => {
  const user = userEvent.setup();
  openConsole('/console', {
    ...ALL_WELL,
    'GET /console/api/find?q=Digest%3A%207kq4%20m2xd': found([ISSUE]),
  });

  await user.type(screen.getByRole('textbox', { name: /^Paste a digest/ }), ' Digest: 7kq4 m2xd {Enter}');

  expect(await screen.findByRole('heading', { level: 1, name: ISSUE.title })).toBeInTheDocument();
  expect(screen.getByTestId('address')).toHaveTextContent('/console/e/7KQ4-M2XD');
});

it('leads from an event id to that very occurrence', async () => {
  openConsole('/console?q=0002', {
    ...ALL_WELL,
    'GET /console/api/find?q=0002': found([ISSUE], { reading: 'event_id', eventId: '2' }),
  });

  await screen.findByRole('heading', { level: 1, name: ISSUE.title });

  expect(screen.getByTestId('address')).toHaveTextContent('/console/e/7KQ4-M2XD?event=2');
});

it('offers the choice when several match', async () => {
  openConsole('/console?q=cart', {
    ...ALL_WELL,
    'GET /console/api/find?q=cart': found([ISSUE, LINKED_ISSUE], { reading: 'text' }),
  });

  expect(await screen.findByRole('heading', { name: '2 errors match' })).toBeInTheDocument();
  expect(screen.getByText('2 errors match', { selector: 'output' })).toBeInTheDocument();
  expect(within(screen.getByRole('list', { name: 'Matching errors' })).getAllByRole('link')).toHaveLength(2);
});

const UNKNOWN_WORDS = {
  unknown: ['relaese:', 'OR'],
  nearest: [{ unknown: 'relaese:', known: 'release:' }],
  empty: ['url:'],
  badValues: [{ term: 'level:high', expected: 'warning or fatal' }],
  known: ['release:', 'user:'],
};

it('names the words of a text that it does not know', async () => {
  openConsole('/console?q=relaese%3A1+OR+cart', {
    ...ALL_WELL,
    'GET /console/api/find?q=relaese%3A1%20OR%20cart': found([ISSUE, LINKED_ISSUE], {
      reading: 'text',
      unknownWords: UNKNOWN_WORDS,
    }),
  });

  await screen.findByRole('list', { name: 'Matching errors' });

  expect(screen.getByText(/^Read as text/)).toHaveTextContent(
    [
      'Read as text: relaese:, OR. relaese: Did you mean release:? No value, so nothing matches: url:.',
      'Nothing matches level:high: expected warning or fatal. Find understands release:, user:.',
    ].join(' '),
  );
});

it('searches again for the same text, without another history entry', async () => {
  const user = userEvent.setup();
  const asked = 'GET /console/api/find?q=cart';
  const { requests, back } = openConsole('/console', { ...ALL_WELL, [asked]: found([ISSUE, LINKED_ISSUE]) });

  await user.type(screen.getByRole('textbox', { name: /^Paste a digest/ }), 'cart{Enter}');
  await screen.findByRole('heading', { name: '2 errors match' });
  await user.keyboard('{Enter}');
  await waitFor(() => expect(requests.filter((request) => request === asked)).toHaveLength(2));
  act(back);

  expect(screen.getByTestId('address')).toHaveTextContent(/^\/console$/);
});

it('takes a pasted text of many lines, and asks on Enter', async () => {
  const user = userEvent.setup();
  const { requests } = openConsole('/console', {
    ...ALL_WELL,
    'GET /console/api/find?q=Application%20error%0ADigest%3A%207KQ4-M2XD': found([ISSUE]),
  });

  await user.click(screen.getByRole('textbox', { name: /^Paste a digest/ }));
  await user.paste('Application error\nDigest: 7KQ4-M2XD');
  await user.keyboard('{Enter}');

  expect(await screen.findByRole('heading', { level: 1, name: ISSUE.title })).toBeInTheDocument();
  expect(requests).toContain('GET /console/api/find?q=Application%20error%0ADigest%3A%207KQ4-M2XD');
});

it('shows more of many matches when asked', async () => {
  const user = userEvent.setup();
  openConsole('/console?q=cart', {
    ...ALL_WELL,
    'GET /console/api/find?q=cart': found([ISSUE], { reading: 'text', next: 'two' }),
    'GET /console/api/find?q=cart&cursor=two': found([LINKED_ISSUE], { reading: 'text', next: null }),
  });

  expect(await screen.findByRole('heading', { name: 'The first 1 errors that match' })).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Show more' }));

  expect(await screen.findByRole('heading', { name: '2 errors match' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Show more' })).not.toBeInTheDocument();
});

it.each([
  ['digest', 'No error found for this digest', 'It may belong to another Errata server.'],
  ['reference', 'No event found for this reference', 'It may belong to another Errata server.'],
  ['event_id', 'No event found for this ID', 'It may belong to another Errata server.'],
  ['trace_id', 'No event found for this trace ID', 'It may belong to another Errata server.'],
  ['text', 'No error found for this text', 'An order number, or any code'],
  ['nothing', 'No digest found in this text', 'The first four characters of a digest are enough'],
])('explains when nothing is found (%s)', async (reading, title, tip) => {
  const { container } = openConsole('/console?q=AAAA-BBBB', {
    ...ALL_WELL,
    'GET /console/api/find?q=AAAA-BBBB': found([], { reading }),
  });

  const notice = await screen.findByRole('alert');

  expect(within(notice).getByRole('heading', { name: title })).toBeInTheDocument();
  expect(notice).toHaveTextContent('AAAA-BBBB');
  expect(screen.getByText(new RegExp(tip))).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it('asks beside an empty result whether another field was meant', async () => {
  openConsole('/console?q=relaese%3A1', {
    ...ALL_WELL,
    'GET /console/api/find?q=relaese%3A1': found([], { reading: 'tag', unknownWords: UNKNOWN_WORDS }),
  });

  const notice = await screen.findByRole('alert');

  expect(within(notice).getByRole('heading', { name: 'No event found for this code' })).toBeInTheDocument();
  expect(notice).toHaveTextContent('relaese: Did you mean release:?');
});

/** Counters for an unknown digest. */
const HINT: FindHint = {
  similar: [],
  recent: [],
  oldestStored: '2026-10-22T09:00:00Z',
  retentionDays: 30,
  deleted: 1_204,
  rejected: [
    { reason: 'rate_limited', count: 9 },
    { reason: 'too_large', count: 3 },
  ],
  rejectedSince: null,
  queued: 1,
  lost: null,
};

function notFound(hint: FindHint) {
  return openConsole('/console?q=AAAA-BBBB', {
    ...ALL_WELL,
    'GET /console/api/find?q=AAAA-BBBB': found([], { hint }),
  });
}

it('lists possible reasons from counters', async () => {
  const { container } = notFound(HINT);

  const known = await screen.findByRole('region', { name: 'Possible reasons' });

  expect(known).toHaveTextContent(/Retention30 days \(oldest event: 22 Oct/);
  expect(known).toHaveTextContent('Deleted1,204 events');
  expect(known).toHaveTextContent('Rejected in the last 24 hours12 (rate limit 9, too large 3)');
  expect(within(known).getByRole('link', { name: /^12 / })).toHaveAttribute('href', '/console/delivery');
  expect(known).toHaveTextContent('Queued for storage1 envelope');
  expect(within(known).getByRole('button', { name: 'Check again' })).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it('asks whether a neighbour was meant', async () => {
  notFound({ ...HINT, similar: [ISSUE] });

  const list = await screen.findByRole('list', { name: 'Errors whose digest differs by one character' });

  expect(within(list).getByRole('link', { name: ISSUE.title })).toHaveAttribute(
    'href',
    '/console/e/7KQ4-M2XD',
  );
});

it.each([
  ['queued', 'is accepted and queued for storage'],
  ['dead_lettered', 'It is a dead letter'],
  ['expired', 'expired'],
  ['dropped', 'dropped to free space'],
] as const)('says what became of the very event (%s)', async (fate, words) => {
  const { container } = notFound({
    ...HINT,
    lost: { eventId: '1', fate, reason: 'status_413', time: '2026-11-21T03:00:00Z' },
  });

  const notice = await screen.findByRole('alert');

  expect(notice).toHaveTextContent(words);
  expect(notice).toHaveTextContent('too large for the upstream');
  expect(screen.queryByRole('region', { name: 'Possible reasons' })).not.toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it('checks again for a queued event', async () => {
  const user = userEvent.setup();
  const lost = { eventId: '1', fate: 'queued', reason: '', time: '2026-11-21T03:00:00Z' } as const;
  const answers = [found([], { hint: { ...HINT, lost } }), found([ISSUE])];
  openConsole('/console?q=AAAA-BBBB', {
    ...ALL_WELL,
    'GET /console/api/find?q=AAAA-BBBB': () => answers.shift()?.() ?? json({}),
  });

  await user.click(await screen.findByRole('button', { name: 'Check again' }));

  expect(await screen.findByRole('heading', { level: 1, name: ISSUE.title })).toBeInTheDocument();
});

it('leads to the set-up of an application when there is no error', async () => {
  openConsole('/console', { ...ALL_WELL, [OPEN_ISSUES]: () => json({ issues: [], next: null }) });

  expect(await screen.findByRole('link', { name: 'Set it up' })).toHaveAttribute('href', '/console/setup');
});

it('says how to make an error when there is none', async () => {
  openConsole('/console', {
    ...ALL_WELL,
    [OPEN_ISSUES]: () => json({ issues: [], next: null }),
  });

  expect(await screen.findByRole('heading', { name: 'No open errors' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'break the server' })).toHaveAttribute(
    'href',
    '/demo/server-error?id=1',
  );
});

it('shows in words what the server could not do, and tries again', async () => {
  const user = userEvent.setup();
  const answers = [
    () => problem(500, 'Internal Server Error', { detail: 'Store not reachable.', digest: 'ST0R-ED0W' }),
    () => json({ issues: [ISSUE], next: null }),
  ];
  const { container } = openConsole('/console', {
    ...ALL_WELL,
    [OPEN_ISSUES]: () => answers.shift()?.() ?? json({}),
  });

  const notice = await screen.findByRole('alert');
  expect(notice).toHaveTextContent('Store not reachable. (status 500)');
  expect(notice).toHaveTextContent('ST0R-ED0W');
  expect(await axe(container)).toHaveNoViolations();
  await user.click(screen.getByRole('button', { name: 'Try again' }));

  expect(await screen.findByRole('link', { name: ISSUE.title })).toBeInTheDocument();
});

it('says that it is loading', () => {
  openConsole('/console', { ...ALL_WELL, [OPEN_ISSUES]: () => new Promise(() => undefined) });

  expect(screen.getByRole('status', { name: 'Loading the recent errors' })).toBeInTheDocument();
});

it('shows hostile words as words', async () => {
  const title = '<img src=x onerror=alert(1)>';
  openConsole('/console', {
    ...ALL_WELL,
    [OPEN_ISSUES]: () => json({ issues: [{ ...ISSUE, title }], next: null }),
  });

  expect(await screen.findByRole('link', { name: title })).toBeInTheDocument();
  expect(document.querySelector('img')).toBeNull();
});
