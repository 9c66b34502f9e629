import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { json, problem } from '../../api/fake-server.fixture.ts';
import { SUPPORT } from '../console.fixture.tsx';
import { DEAD_LETTER, deadLetter } from './delivery.fixture.ts';
import { LETTERS, list, openDelivery } from './delivery-page.fixture.tsx';

it('goes through the dead letters by j, also from a tick', async () => {
  const user = userEvent.setup();
  openDelivery();
  await list();

  await user.keyboard('j');
  expect(screen.getByRole('button', { name: 'Inspect dead letter 7-k3x9' })).toHaveFocus();
  await user.click(screen.getByRole('checkbox', { name: 'Select dead letter 7-k3x9' }));
  await user.keyboard('j');

  expect(screen.getByRole('button', { name: 'Inspect dead letter 6-k3x9' })).toHaveFocus();
});

it('shows the content of a dead letter when it is opened, and not before', async () => {
  const user = userEvent.setup();
  const { container, requests } = openDelivery();
  await list();
  expect(requests).not.toContain('GET /console/api/dead-letters/7-k3x9');

  await user.click(screen.getByRole('button', { name: 'Inspect dead letter 7-k3x9' }));

  expect(await screen.findByText(/"password": "\[Filtered\]"/)).toBeInTheDocument();
  expect(screen.getByText('Binary, not shown')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Close dead letter 7-k3x9' })).toHaveAttribute(
    'aria-expanded',
    'true',
  );
  expect(await axe(container)).toHaveNoViolations();
});

it('shows the first bytes, origin and user agent of one without a readable item, as text', async () => {
  const user = userEvent.setup();
  const beginning = '<img src=x onerror=alert(1)>';
  const { container } = openDelivery({
    'GET /console/api/dead-letters/6-k3x9': () =>
      json({ ...DEAD_LETTER, items: [], beginning, userAgent: '<b>Agent</b>' }),
  });
  await list();

  await user.click(screen.getByRole('button', { name: 'Inspect dead letter 6-k3x9' }));

  expect(await screen.findByRole('region', { name: 'First bytes' })).toHaveTextContent(beginning);
  expect(screen.getByText('https://shop.example')).toBeInTheDocument();
  expect(screen.getByText('<b>Agent</b>')).toBeInTheDocument();
  expect(container.querySelector('img, b')).toBeNull();
  expect(await axe(container)).toHaveNoViolations();
});

it('sends the selected ones again that can be sent, and shows the result', async () => {
  const user = userEvent.setup();
  const { requests } = openDelivery({ 'POST /console/api/dead-letters/redrive': () => json({ done: 1 }) });
  await list();

  await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
  await user.click(screen.getByRole('button', { name: 'Send again' }));

  expect(await screen.findByText('1 dead letter sent again.')).toBeInTheDocument();
  expect(requests).toContain('POST /console/api/dead-letters/redrive {"ids":["7-k3x9"]}');
  expect(screen.getByRole('checkbox', { name: 'Select all' })).not.toBeChecked();
});

it('shows the result when the list is empty after it', async () => {
  const user = userEvent.setup();
  const lists = [LETTERS, []];
  openDelivery({
    'GET /console/api/dead-letters': () => json({ deadLetters: lists.shift() ?? [], next: null }),
    'POST /console/api/dead-letters/discard': () => json({ done: 2 }),
  });
  await list();
  await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
  await user.click(screen.getByRole('button', { name: 'Discard…' }));

  await user.click(screen.getByRole('button', { name: 'Discard 2 dead letters' }));

  expect(await screen.findByText('2 dead letters discarded.')).toHaveFocus();
  expect(screen.getByText('No dead letters')).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

it('discards only after asking, by keyboard too', async () => {
  const user = userEvent.setup();
  const { container, requests } = openDelivery({
    'POST /console/api/dead-letters/discard': () => json({ done: 1 }),
  });
  await list();
  await user.click(screen.getByRole('checkbox', { name: 'Select all' }));

  await user.click(screen.getByRole('button', { name: 'Discard…' }));
  expect(screen.getByRole('dialog', { name: 'Discard 2 dead letters?' })).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
  expect(requests.filter((request) => request.startsWith('POST'))).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Discard 2 dead letters' }));

  expect(
    await screen.findByText(
      '1 dead letter discarded. 1 dead letter failed: already removed, or without an upstream.',
    ),
  ).toBeInTheDocument();
  expect(requests).toContain('POST /console/api/dead-letters/discard {"ids":["7-k3x9","6-k3x9"]}');
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

it('discards nothing when the dialog is cancelled', async () => {
  const user = userEvent.setup();
  const { requests } = openDelivery();
  await list();
  await user.click(screen.getByRole('checkbox', { name: 'Select dead letter 7-k3x9' }));

  await user.click(screen.getByRole('button', { name: 'Discard…' }));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));

  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(requests.filter((request) => request.startsWith('POST'))).toEqual([]);
  expect(screen.getByRole('checkbox', { name: 'Select dead letter 7-k3x9' })).toBeChecked();
});

it('says when it could not be done', async () => {
  const user = userEvent.setup();
  openDelivery({
    'POST /console/api/dead-letters/redrive': () =>
      problem(403, 'Forbidden', { detail: 'This needs the role operator.' }),
  });
  await list();

  await user.click(screen.getByRole('checkbox', { name: 'Select dead letter 7-k3x9' }));
  await user.click(screen.getByRole('button', { name: 'Send again' }));

  expect(await screen.findByText('This needs the role operator. (status 403)')).toBeInTheDocument();
  expect(screen.getByRole('checkbox', { name: 'Select dead letter 7-k3x9' })).toBeChecked();
});

it('tells support why the buttons are off', async () => {
  const user = userEvent.setup();
  openDelivery({ 'GET /console/api/session': SUPPORT });
  await list();

  await user.click(screen.getByRole('checkbox', { name: 'Select dead letter 7-k3x9' }));

  expect(await screen.findByText('Only operators can send again or discard.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Send again' })).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Discard…' })).toBeDisabled();
});

it('shows older dead letters page by page', async () => {
  const user = userEvent.setup();
  openDelivery({
    'GET /console/api/dead-letters': () => json({ deadLetters: LETTERS, next: '6-k3x9' }),
    'GET /console/api/dead-letters?cursor=6-k3x9': () => json({ deadLetters: [deadLetter(5)], next: null }),
  });
  await list();

  await user.click(screen.getByRole('button', { name: 'Show older' }));

  expect(await screen.findByRole('button', { name: 'Inspect dead letter 5-k3x9' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Show older' })).not.toBeInTheDocument();
});
