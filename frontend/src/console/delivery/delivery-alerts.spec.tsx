import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { json, problem, type Answers } from '../../api/fake-server.fixture.ts';
import { SUPPORT } from '../console.fixture.tsx';
import { alertReason } from './alert-labels.ts';
import { ALERTS } from './delivery.fixture.ts';
import { openDelivery } from './delivery-page.fixture.tsx';

const TEST_SLACK = 'POST /console/api/alerts/1f2e3d4c5b6a7988/test';

async function section() {
  return within(await screen.findByRole('region', { name: 'Alerts' }));
}

async function tested(answers: Answers) {
  const user = userEvent.setup();
  const opened = openDelivery(answers);
  await user.click(await (await section()).findByRole('button', { name: 'Test Slack' }));
  return opened;
}

it('shows each target with its filter, queue, last message, and since when it fails and why', async () => {
  const { container } = openDelivery();

  const cards = await (await section()).findAllByRole('listitem');
  const [slack, hooks] = cards.map(({ textContent }) => textContent);

  expect(slack).toMatch(/^SlackHealthy.*Filterproduction · error or higherQueued0Last message/);
  expect(hooks).toMatch(/^hooks\.exampleFailing.*Filternew · warning or higherQueued3Reason/);
  expect(hooks).toMatch(/HTTP 410, the service has removed the addressSince21 Nov, .*Attempts9/);
  expect(await axe(container)).toHaveNoViolations();
});

it.each([
  [{ outcome: 'accepted', reason: null, detail: null }, 'The test message was accepted.'],
  [
    { outcome: 'accepted', reason: null, detail: '<title>Sign in</title>' },
    'The test message was accepted. Response: <title>Sign in</title>',
  ],
  [
    { outcome: 'failed', reason: 'status_404', detail: 'no_service' },
    'Not accepted: HTTP 404, the service has no such address. Response: no_service',
  ],
  [{ outcome: 'failed', reason: 'timeout', detail: null }, 'Not accepted: timed out.'],
])('sends a test and shows its result: %j', async (result, text) => {
  const { container, requests } = await tested({ [TEST_SLACK]: () => json(result) });

  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(requests).toContain(TEST_SLACK);
  expect(container.querySelector('output title')).toBeNull();
  expect(await axe(container)).toHaveNoViolations();
});

it('says when a test could not be sent', async () => {
  await tested({ [TEST_SLACK]: () => problem(404, 'Not Found', { detail: 'No such target.' }) });

  expect(await screen.findByText('No such target. (status 404)')).toBeInTheDocument();
});

it('tells support why the buttons are off', async () => {
  openDelivery({ 'GET /console/api/session': SUPPORT });

  const shown = await section();

  expect(await shown.findByText('Only operators can send a test message.')).toBeInTheDocument();
  expect(shown.getByRole('button', { name: 'Test Slack' })).toBeDisabled();
});

it('says that messages have no links without the public address', async () => {
  openDelivery({ 'GET /console/api/alerts': () => json({ ...ALERTS, hasLinks: false }) });

  expect(await (await section()).findByText(/Messages have no links/)).toHaveTextContent('ERRATA_PUBLIC_URL');
});

it('names the setting where there is no target', async () => {
  const { container } = openDelivery({
    'GET /console/api/alerts': () => json({ targets: [], hasLinks: false }),
  });

  const shown = await section();

  expect(await shown.findByText('ERRATA_ALERTS')).toBeInTheDocument();
  expect(shown.queryByText(/Messages have no links/)).not.toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it('keeps the rest of the page when the targets cannot be read', async () => {
  openDelivery({ 'GET /console/api/alerts': () => problem(503, 'Service Unavailable') });

  expect(await (await section()).findByRole('button', { name: 'Try again' })).toBeInTheDocument();
  expect(screen.getByRole('region', { name: 'Destinations' })).toBeInTheDocument();
});

it.each([
  ['EgressRefused', 'the address is private, which needs private=on'],
  ['ECONNREFUSED', 'connection refused'],
  ['status_500', 'HTTP 500'],
  ['proxy_407', 'HTTP 407 from the proxy'],
  ['smtp_535', 'smtp 535'],
])('explains the code %s', (code, label) => {
  expect(alertReason(code)).toBe(label);
});
