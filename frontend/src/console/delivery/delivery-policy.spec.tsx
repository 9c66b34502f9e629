import { screen, within } from '@testing-library/react';
import { axe } from 'jest-axe';
import { json } from '../../api/fake-server.fixture.ts';
import { DELIVERY } from './delivery.fixture.ts';
import { openDelivery } from './delivery-page.fixture.tsx';

const TITLE = 'Content-Security-Policy';
const FINDING = {
  digest: '7KQ4-M2XD',
  address: '7KQ4-M2XD',
  project: 'https://key@errata.invalid/1',
  isShared: false,
  directive: 'connect-src',
  blocked: 'https://api.example',
  allow: 'connect-src https://api.example',
  networks: 30,
  events: 1_200,
  lastSeen: '2026-11-21T03:01:00.000Z',
};
const NOT_ALLOWED = { ...FINDING, address: '8KQ4-M2XD', directive: 'frame-ancestors', allow: null };

const INLINE = { ...NOT_ALLOWED, address: '9KQ4-M2XD', directive: 'script-src-elem', blocked: 'inline' };

const open = (policy: unknown, policyLeftOut = 0) =>
  openDelivery({ 'GET /console/api/delivery': () => json({ ...DELIVERY, policy, policyLeftOut }) });

it('lists what the policy of the client blocks, with the setting that allows it', async () => {
  const { container } = open([FINDING, NOT_ALLOWED, INLINE]);

  const section = within(await screen.findByRole('region', { name: TITLE }));

  expect(section.getByRole('row', { name: /^connect-src .* 30 1,200$/ })).toBeInTheDocument();
  expect(section.getByText('connect-src https://api.example', { selector: 'code' })).toBeInTheDocument();
  expect(section.getByRole('link', { name: 'connect-src https://api.example' })).toHaveAttribute(
    'href',
    '/console/e/7KQ4-M2XD',
  );
  expect(
    section.getByRole('row', { name: /^frame-ancestors .* only if your own browser blocks it/ }),
  ).toBeInTheDocument();
  expect(section.getByRole('row', { name: /^script-src-elem inline .* add its hash/ })).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it('says that nothing was reported', async () => {
  open([]);

  const section = within(await screen.findByRole('region', { name: TITLE }));

  expect(section.getByText(/^No browser has reported anything/)).toBeInTheDocument();
});

it('says how many reports it leaves out, and where they are', async () => {
  open([FINDING], 950);

  const section = within(await screen.findByRole('region', { name: TITLE }));

  expect(section.getByText(/at least 950 more/)).toBeInTheDocument();
  expect(section.getByRole('link', { name: 'Issues' })).toHaveAttribute(
    'href',
    '/console/issues?kind=browser&q=Content-Security-Policy',
  );
});

it('is silent about a policy that no setting changes', async () => {
  open(null);

  await screen.findByRole('region', { name: 'Dropped items' });

  expect(screen.queryByRole('region', { name: TITLE })).toBeNull();
});
