import type { IssueSummary } from '@errata/backend/contract/issues-api.ts';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { json } from '../../api/fake-server.fixture.ts';
import { ALL_WELL, ISSUE, LINKED_ISSUE, openConsole } from '../console.fixture.tsx';

function listing(issues: readonly IssueSummary[]) {
  return () => json({ issues, next: null });
}

it('filters by words, kind and status, each of them in the address', async () => {
  const user = userEvent.setup();
  openConsole('/console/issues', {
    ...ALL_WELL,
    'GET /console/api/issues?status=open&sort=last&q=release%3A1.4.2': listing([ISSUE, LINKED_ISSUE]),
    'GET /console/api/issues?status=open&sort=last&q=release%3A1.4.2&kind=browser': listing([LINKED_ISSUE]),
    'GET /console/api/issues?status=all&sort=last&q=release%3A1.4.2&kind=browser': listing([LINKED_ISSUE]),
  });

  await user.type(await screen.findByRole('searchbox', { name: /^Filter/ }), 'release:1.4.2{Enter}');
  await user.click(
    within(screen.getByRole('list', { name: 'Source' })).getByRole('link', { name: 'Browser' }),
  );
  await user.click(screen.getByRole('link', { name: 'All' }));

  expect(await screen.findByRole('table', { name: /^All issues/ })).toBeInTheDocument();
  expect(screen.getByTestId('address')).toHaveTextContent(
    '/console/issues?status=all&kind=browser&q=release%3A1.4.2',
  );
});

it('makes an address that a server reads of a long text', async () => {
  const user = userEvent.setup();
  openConsole('/console/issues', ALL_WELL);

  await user.click(await screen.findByRole('searchbox', { name: /^Filter/ }));
  await user.paste(`release:1.4.2 ${'é'.repeat(20_000)} cart`);
  await user.keyboard('{Enter}');

  const { textContent } = screen.getByTestId('address');
  expect(textContent).toMatch(/q=release%3A1\.4\.2\+.*\+cart$/);
  expect(textContent.length).toBeLessThanOrEqual(4_100);
});

it('leaves the focus on a filter, and says how many it finds', async () => {
  const user = userEvent.setup();
  openConsole('/console/issues?cursor=two', {
    ...ALL_WELL,
    'GET /console/api/issues?status=open&sort=last&cursor=two': listing([ISSUE]),
    'GET /console/api/issues?status=open&sort=last&kind=server': listing([ISSUE, LINKED_ISSUE]),
    'GET /console/api/issues?status=open&sort=last&q=cart&kind=server': listing([]),
  });
  await screen.findByText('1 issue on this page');

  const server = screen.getByRole('link', { name: 'Server' });
  await user.click(server);
  expect(await screen.findByText('2 issues', { selector: 'output' })).toBeInTheDocument();
  expect(server).toHaveFocus();
  const words = screen.getByRole('searchbox', { name: /^Filter/ });
  await user.type(words, 'cart{Enter}');

  expect(await screen.findByText('No issues', { selector: 'output' })).toBeInTheDocument();
  expect(words).toHaveFocus();
});

it('shows the text of the address in place of typed text', async () => {
  const user = userEvent.setup();
  openConsole('/console/issues?q=cart', {
    ...ALL_WELL,
    'GET /console/api/issues?status=open&sort=last&q=cart': listing([]),
    'GET /console/api/issues?status=all&sort=last': listing([ISSUE]),
  });

  await user.type(screen.getByRole('searchbox', { name: /^Filter/ }), ' and more');
  await user.click(await screen.findByRole('link', { name: 'Show all issues' }));

  expect(await screen.findByRole('link', { name: ISSUE.title })).toBeInTheDocument();
  expect(screen.getByRole('searchbox', { name: /^Filter/ })).toHaveValue('');
});
