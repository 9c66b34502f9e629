import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { json, problem, type Answers } from '../../api/fake-server.fixture.ts';
import { SUPPORT } from '../console.fixture.tsx';
import { DELIVERY } from './delivery.fixture.ts';
import { openDelivery } from './delivery-page.fixture.tsx';

const STRANDED = {
  project: 'https://0123abcdef@old.example:8443/7',
  queued: 180,
  expires: '2026-11-28T14:00:00Z',
};

/** Opens the page with a removed DSN, until its envelopes are discarded. */
function open(answers: Answers = {}) {
  let stranded = [STRANDED];
  return openDelivery({
    'GET /console/api/delivery': () => json({ ...DELIVERY, stranded }),
    'POST /console/api/delivery/discard': () => {
      stranded = [];
      return json({ done: 180 });
    },
    ...answers,
  });
}

async function section() {
  return within(await screen.findByRole('region', { name: 'DSNs outside the settings' }));
}

it('names a DSN that has left the settings, its envelopes, their expiry and the setting', async () => {
  const { container } = open();

  const card = (await (await section()).findByRole('listitem')).textContent;

  expect(card).toMatch(/^old\.example:8443\/7Not in the settings.*ERRATA_TUNNEL_DSNS/);
  expect(card).toMatch(/Key0123abcd…Queued180First expires28 Nov, /);
  expect(await axe(container)).toHaveNoViolations();
});

it('discards its envelopes only after asking, and shows the result', async () => {
  const user = userEvent.setup();
  const { container, requests } = open();

  await user.click((await section()).getByRole('button', { name: 'Discard…' }));
  expect(screen.getByRole('dialog', { name: 'Discard 180 envelopes for old.example:8443/7?' })).toBeVisible();
  expect(await axe(container)).toHaveNoViolations();
  expect(requests.filter((request) => request.startsWith('POST'))).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Discard 180 envelopes' }));

  expect(await screen.findByText('180 envelopes for old.example:8443/7 discarded.')).toHaveFocus();
  expect(requests).toContain(`POST /console/api/delivery/discard {"project":"${STRANDED.project}"}`);
  expect((await section()).queryByRole('listitem')).not.toBeInTheDocument();
});

it('says when it could not be done, and discards nothing when the dialog is cancelled', async () => {
  const user = userEvent.setup();
  const { requests } = open({
    'POST /console/api/delivery/discard': () => problem(404, 'Not Found', { detail: 'No envelopes wait.' }),
  });
  const opener = (await section()).getByRole('button', { name: 'Discard…' });

  await user.click(opener);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(requests.filter((request) => request.startsWith('POST'))).toEqual([]);
  await user.click(opener);
  await user.click(screen.getByRole('button', { name: 'Discard 180 envelopes' }));

  expect(await screen.findByText('No envelopes wait. (status 404)')).toBeInTheDocument();
});

it('tells support why the button is off', async () => {
  open({ 'GET /console/api/session': SUPPORT });

  const shown = await section();

  expect(await shown.findByText('Only operators can discard.')).toBeInTheDocument();
  expect(shown.getByRole('button', { name: 'Discard…' })).toBeDisabled();
});

it('shows nothing while all waiting envelopes have a DSN in the settings', async () => {
  openDelivery();

  await screen.findByRole('region', { name: 'Destinations' });

  expect(screen.queryByRole('region', { name: 'DSNs outside the settings' })).not.toBeInTheDocument();
});
