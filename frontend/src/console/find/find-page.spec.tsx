import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { json, problem } from '../../api/fake-server.fixture.ts';
import { ALL_WELL, ISSUE, OTHER_HALF, openConsole } from '../console.fixture.tsx';

function found(issues: readonly unknown[], rest: object = {}) {
  return () => json({ query: 'q', reading: 'digest', issues, eventId: null, ...rest });
}

it('waits for a paste, and lists what failed lately', async () => {
  const { container } = openConsole('/console', ALL_WELL);

  const list = await screen.findByRole('list', { name: 'Recent errors' });

  expect(screen.getByRole('searchbox')).toHaveFocus();
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

  await user.type(screen.getByRole('searchbox'), ' Digest: 7kq4 m2xd {Enter}');

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
    'GET /console/api/find?q=cart': found([ISSUE, OTHER_HALF], { reading: 'text' }),
  });

  expect(await screen.findByRole('heading', { name: '2 errors match' })).toBeInTheDocument();
  expect(within(screen.getByRole('list', { name: 'Matching errors' })).getAllByRole('link')).toHaveLength(2);
});

it.each([
  ['digest', 'No error with this digest here', 'It may be older than what is kept here.'],
  ['reference', 'No occurrence with this reference here', 'It may come from another installation.'],
  ['event_id', 'No event with this id here', 'It may come from another installation.'],
  ['text', 'No error with this text here', 'An event id is 32 hex digits'],
  ['nothing', 'No digest in this text here', 'A digest or a reference looks like'],
])('explains when nothing is found (%s)', async (reading, title, tip) => {
  const { container } = openConsole('/console?q=AAAA-BBBB', {
    ...ALL_WELL,
    'GET /console/api/find?q=AAAA-BBBB': found([], { reading }),
  });

  const notice = await screen.findByRole('alert');

  expect(within(notice).getByRole('heading', { name: title })).toBeInTheDocument();
  expect(notice).toHaveTextContent(tip);
  expect(notice).toHaveTextContent('AAAA-BBBB');
  expect(await axe(container)).toHaveNoViolations();
});

it('says how to make an error when there is none', async () => {
  openConsole('/console', {
    ...ALL_WELL,
    'GET /console/api/issues': () => json({ issues: [], next: null }),
  });

  expect(await screen.findByRole('heading', { name: 'No errors yet' })).toBeInTheDocument();
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
    'GET /console/api/issues': () => answers.shift()?.() ?? json({}),
  });

  const notice = await screen.findByRole('alert');
  expect(notice).toHaveTextContent('Store not reachable. (status 500)');
  expect(notice).toHaveTextContent('ST0R-ED0W');
  expect(await axe(container)).toHaveNoViolations();
  await user.click(screen.getByRole('button', { name: 'Try again' }));

  expect(await screen.findByRole('link', { name: ISSUE.title })).toBeInTheDocument();
});

it('says that it is loading', () => {
  openConsole('/console', { ...ALL_WELL, 'GET /console/api/issues': () => new Promise(() => undefined) });

  expect(screen.getByRole('status', { name: 'Loading the recent errors' })).toBeInTheDocument();
});

it('shows hostile words as words', async () => {
  const title = '<img src=x onerror=alert(1)>';
  openConsole('/console', {
    ...ALL_WELL,
    'GET /console/api/issues': () => json({ issues: [{ ...ISSUE, title }], next: null }),
  });

  expect(await screen.findByRole('link', { name: title })).toBeInTheDocument();
  expect(document.querySelector('img')).toBeNull();
});
