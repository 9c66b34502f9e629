import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { json } from '../../api/fake-server.fixture.ts';
import { ALL_WELL, EXAMPLES, ISSUE, openConsole } from '../console.fixture.tsx';
import { searchFor } from './find-examples.tsx';

it.each([
  ['digest', '7KQ4-M2XD', '7KQ4-M2XD'],
  ['trace_id', '4bf9', '4bf9'],
  ['release', 'shop@1.4.2', 'release:shop@1.4.2'],
  ['user', 'Ann Lee', 'user:"Ann Lee"'],
  ['url', '/checkout', 'url:/checkout'],
  ['environment', 'production', 'environment:production'],
  ['server', 'web-1', 'server:web-1'],
] as const)('searches for a %s', (as, value, text) => {
  expect(searchFor({ as, value })).toBe(text);
});

it('offers values of stored events in Find, and searches for the one that is clicked', async () => {
  const user = userEvent.setup();
  openConsole('/console', {
    ...ALL_WELL,
    'GET /console/api/find?q=user%3A%22Ann%20Lee%22': () =>
      json({ query: '', reading: 'user', readings: [], issues: [ISSUE], eventId: '1' }),
  });

  await user.click((await screen.findAllByRole('link', { name: 'user:"Ann Lee"' }))[0] ?? document.body);

  expect(await screen.findByRole('heading', { level: 1, name: ISSUE.title })).toBeInTheDocument();
});

it('has one example of each kind in its help', async () => {
  const user = userEvent.setup();
  const { container } = openConsole('/console', ALL_WELL);

  await screen.findAllByRole('link', { name: 'release:shop@1.4.2' });
  await user.click(screen.getByText('What Find reads'));

  const help = screen.getByText('What Find reads').closest('details') ?? document.body;
  expect(within(help).getByText('Trace ID').nextElementSibling).toHaveTextContent(
    `header line. ${'4b'.repeat(16)}`,
  );
  expect(within(help).getByRole('link', { name: 'server:web-1' })).toHaveAttribute(
    'href',
    '/console?q=server%3Aweb-1',
  );
  expect(await axe(container)).toHaveNoViolations();
});

it('offers nothing without an event', async () => {
  const { requests } = openConsole('/console', { ...ALL_WELL, [EXAMPLES]: () => json({ examples: [] }) });

  await screen.findByText(ISSUE.title);

  expect(requests).toContain(EXAMPLES);
  expect(screen.queryByText('Or search:')).not.toBeInTheDocument();
  expect(screen.queryAllByRole('link', { name: /^\w+:/ })).toEqual([
    expect.objectContaining({ textContent: expect.stringContaining('Error: ') }),
    expect.objectContaining({ textContent: expect.stringContaining('Error: ') }),
  ]);
});
