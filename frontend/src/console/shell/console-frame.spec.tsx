import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { json, problem } from '../../api/fake-server.fixture.ts';
import { passInterval } from '../../api/query-intervals.fixture.ts';
import { chooseTheme } from '../../ui/theme.ts';
import { ALL_WELL, ISSUE, LINKED_ISSUE, SIGNED_OUT, openConsole } from '../console.fixture.tsx';

afterEach(() => {
  window.localStorage.clear();
  chooseTheme(window, 'system');
});

const VERDICT = 'GET /console/api/delivery/verdict';
const RED = {
  level: 'action',
  causes: [{ kind: 'failing', level: 'action', place: 'sentry.example/42', key: '0123abcd' }],
};

async function openIssues() {
  const opened = openConsole('/console/issues', ALL_WELL);
  await screen.findByRole('link', { name: ISSUE.title });
  return opened;
}

it('names the current page, the user and the role', async () => {
  await openIssues();

  const pages = within(screen.getByRole('navigation', { name: 'Console' }));

  expect(pages.getAllByRole('link').map((link) => link.getAttribute('aria-current'))).toEqual([
    null,
    'page',
    null,
    null,
  ]);
  expect(screen.getByText('Signed in as ann')).toHaveTextContent('operator');
  expect(screen.getByRole('link', { name: 'Account and sessions' })).toHaveAttribute(
    'href',
    '/console/account',
  );
});

it('keeps the theme that the user chose', async () => {
  const user = userEvent.setup();
  await openIssues();

  await user.click(screen.getByRole('radio', { name: 'Dark' }));

  expect(document.documentElement).toHaveAttribute('data-theme', 'dark');
  expect(window.localStorage.getItem('errata.theme')).toBe('dark');
});

it('goes through the list by j and k, opens by Enter, and reaches the box by /', async () => {
  const user = userEvent.setup();
  await openIssues();

  await user.keyboard('k');
  expect(screen.getByRole('link', { name: ISSUE.title })).toHaveFocus();
  await user.keyboard('jj');
  expect(screen.getByRole('link', { name: LINKED_ISSUE.title })).toHaveFocus();
  await user.keyboard('/');
  expect(screen.getByRole('textbox', { name: /^Paste a digest/ })).toHaveFocus();
  screen.getByRole('link', { name: ISSUE.title }).focus();
  await user.keyboard('{Enter}');

  expect(await screen.findByRole('heading', { level: 1, name: ISSUE.title })).toBeInTheDocument();
});

it('goes on from the row whose tick has the focus', async () => {
  const user = userEvent.setup();
  await openIssues();

  (await screen.findByRole('checkbox', { name: `Select ${ISSUE.digest}` })).focus();
  await user.keyboard(' j');

  expect(screen.getByRole('link', { name: LINKED_ISSUE.title })).toHaveFocus();
});

it('has the focus on the row again that was opened, when one comes back', async () => {
  const user = userEvent.setup();
  const { back } = await openIssues();

  await user.keyboard('jj{Enter}');
  await screen.findByRole('heading', { level: 1, name: 'Find the cause of an error' });
  act(back);

  expect(await screen.findByRole('link', { name: LINKED_ISSUE.title })).toHaveFocus();
});

it('leaves the box by Escape, for the keys', async () => {
  const user = userEvent.setup();
  openConsole('/console', ALL_WELL);
  await screen.findByRole('link', { name: ISSUE.title });

  await user.keyboard('{Escape}j');

  expect(screen.getByRole('link', { name: ISSUE.title })).toHaveFocus();
});

it('ignores letters typed into a box, and those with a modifier', async () => {
  const user = userEvent.setup();
  await openIssues();
  const box = screen.getByRole('textbox', { name: /^Paste a digest/ });

  await user.type(box, 'jk/?');
  expect(box).toHaveValue('jk/?');
  box.blur();
  await user.keyboard('{Control>}j{/Control}{Meta>}j{/Meta}{Alt>}/{/Alt}');

  expect(document.body).toHaveFocus();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

it('goes to a page by g and its letter', async () => {
  const user = userEvent.setup();
  await openIssues();

  await user.keyboard('gf');

  expect(await screen.findByRole('heading', { name: 'Find the cause of an error' })).toBeInTheDocument();
});

it('stays with its live regions, and keeps its keys, when the page changes', async () => {
  const user = userEvent.setup();
  const { container } = await openIssues();
  const parts = () => Array.from(container.querySelectorAll('nav[aria-label="Console"], header ~ *'));
  const before = parts();

  await user.keyboard('gf');
  await screen.findByRole('heading', { name: 'Find the cause of an error' });

  expect(parts().map((part, index) => part === before[index])).toEqual([true, true, true, true]);
  expect(screen.getByRole('link', { name: 'Find' })).toHaveAttribute('aria-current', 'page');
  await user.keyboard('{Escape}gi');
  expect(await screen.findByRole('heading', { level: 1, name: 'Issues' })).toBeInTheDocument();
});

it('closes the help and the menus when the back button leaves their page', async () => {
  const user = userEvent.setup();
  const { back } = await openIssues();
  await user.keyboard('gf');
  await screen.findByRole('heading', { name: 'Find the cause of an error' });
  const link = screen.getByRole('link', { name: 'Account and sessions' });
  await user.keyboard('{Escape}?');
  await screen.findByRole('dialog');

  act(back);

  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(link).not.toBeInTheDocument();
});

it('explains its keys, and lets them be switched off for good', async () => {
  const user = userEvent.setup();
  const { container } = await openIssues();

  await user.keyboard('?');
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  expect(await axe(container)).toHaveNoViolations();
  await user.click(within(dialog).getByRole('checkbox', { name: /^Enable single-key/ }));
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  await user.keyboard('j?');

  expect(document.body).toHaveFocus();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(window.localStorage.getItem('errata.shortcuts')).toBe('off');
});

it('does not step through the list behind an open dialog', async () => {
  const user = userEvent.setup();
  await openIssues();

  await user.click(screen.getByRole('button', { name: 'Help' }));
  within(await screen.findByRole('dialog'))
    .getByRole('button', { name: 'Close' })
    .focus();
  await user.keyboard('j');

  expect(screen.getByRole('link', { name: ISSUE.title })).not.toHaveFocus();
});

it.each(['moving', 'queued', 'action'] as const)(
  'shows what needs an operator, and nothing else: %s',
  async (level) => {
    const cause = { kind: 'failing', level, place: 'sentry.example/42', key: '0123abcd' };
    const verdict = { level, causes: level === 'moving' ? [] : [cause] };
    const { container, requests } = openConsole('/console/issues', {
      ...ALL_WELL,
      [VERDICT]: () => json(verdict),
    });

    await waitFor(() => expect(requests).toContain(VERDICT));
    await screen.findByRole('link', { name: ISSUE.title });

    const link = screen.queryByRole('link', { name: 'See Delivery' });
    expect(link?.closest('span')?.textContent).toBe(
      level === 'action' ? 'sentry.example/42 needs attention. See Delivery' : undefined,
    );
    expect(await axe(container)).toHaveNoViolations();
  },
);

it.each([
  ['on Delivery itself', '/console/delivery', {}],
  ['to a user who is not signed in', '/console/issues', { 'GET /console/api/session': SIGNED_OUT }],
])('does not ask for the verdict %s', async (_, path, answers) => {
  const { requests } = openConsole(path, { ...ALL_WELL, ...answers, [VERDICT]: () => json(RED) });

  await waitFor(() => expect(requests.length).toBeGreaterThan(0));
  await screen.findByRole('navigation', { name: 'Console' });

  expect(requests).not.toContain(VERDICT);
});

it('shows nothing after an error of the verdict', async () => {
  const answers = [json(RED), problem(500, 'Internal Server Error')];
  openConsole('/console/issues', {
    ...ALL_WELL,
    [VERDICT]: () => answers.shift() ?? problem(500, 'Internal Server Error'),
  });

  expect(await screen.findByRole('link', { name: 'See Delivery' })).toBeInTheDocument();
  act(() => passInterval(30_000));

  await waitFor(() => expect(screen.queryByRole('link', { name: 'See Delivery' })).not.toBeInTheDocument());
});
