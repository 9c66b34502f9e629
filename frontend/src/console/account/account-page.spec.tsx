import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { AuditEntry, SessionSummary } from '@errata/backend/contract/access-api.ts';
import { axe } from 'jest-axe';
import { json, problem, type Answers } from '../../api/fake-server.fixture.ts';
import { ALL_WELL, OPERATOR, SIGNED_OUT, SUPPORT, openConsole } from '../console.fixture.tsx';

const OWN: SessionSummary = {
  id: 'own',
  who: 'ann@example.org',
  role: 'operator',
  way: 'oidc',
  created: '2026-11-21T01:00:00Z',
  lastSeen: '2026-11-21T03:05:00Z',
  own: true,
};
const OTHER: SessionSummary = { ...OWN, id: 'other', who: 'sam@example.org', role: 'support', own: false };

function entry(id: number, action: AuditEntry['action'], target: string | null): AuditEntry {
  return {
    id,
    time: '2026-11-21T03:05:00Z',
    who: 'sam@example.org',
    role: 'support',
    action,
    target,
    detail: null,
  };
}

const WELL: Answers = {
  ...ALL_WELL,
  'GET /console/api/session': OPERATOR,
  'GET /console/api/sessions': () => json({ sessions: [OWN, OTHER] }),
  'GET /console/api/audit': () =>
    json({ entries: [entry(2, 'read', '7KQ4-M2XD'), entry(1, 'sign_in', null)], next: null }),
};

function open(answers: Answers = {}) {
  return openConsole('/console/account', { ...WELL, ...answers });
}

it('shows the user, the role and the other sessions', async () => {
  const { container } = open();

  expect(await screen.findByRole('heading', { level: 1, name: 'ann@example.org' })).toBeInTheDocument();
  expect(await screen.findByText('this browser')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: /Revoke session of sam@example.org/ })).toBeInTheDocument();
  await screen.findByRole('list', { name: 'Audit log' });
  expect(await axe(container)).toHaveNoViolations();
});

it('revokes the session of another user, and says so', async () => {
  const user = userEvent.setup();
  const lists = [[OWN, OTHER], [OWN]];
  const { requests } = open({
    'GET /console/api/sessions': () => json({ sessions: lists.shift() ?? [OWN] }),
    'DELETE /console/api/sessions/other': () => new Response(null, { status: 204 }),
  });

  await user.click(await screen.findByRole('button', { name: /Revoke session of sam@example.org/ }));

  expect(await screen.findByText('Session of sam@example.org revoked.')).toBeInTheDocument();
  expect(requests).toContain('DELETE /console/api/sessions/other');
  expect(screen.queryByRole('button', { name: /Revoke session of sam/ })).not.toBeInTheDocument();
});

it('signs out when the own session is ended', async () => {
  const user = userEvent.setup();
  let isOver = false;
  open({
    'GET /console/api/session': () => (isOver ? SIGNED_OUT() : OPERATOR()),
    'DELETE /console/api/sessions/own': () => {
      isOver = true;
      return new Response(null, { status: 204 });
    },
  });

  await user.click(await screen.findByRole('button', { name: /Sign out session of ann@example.org/ }));

  expect(await screen.findByLabelText('Console token')).toBeInTheDocument();
});

it('lists who looked up what, with the way there, page by page', async () => {
  const user = userEvent.setup();
  open({
    'GET /console/api/audit': () => json({ entries: [entry(3, 'read', '7KQ4-M2XD')], next: '3' }),
    'GET /console/api/audit?cursor=3': () => json({ entries: [entry(2, 'erase', 'ann')], next: null }),
  });
  const log = within(await screen.findByRole('list', { name: 'Audit log' }));
  expect(log.getByRole('link', { name: '7KQ4-M2XD' })).toHaveAttribute('href', '/console/e/7KQ4-M2XD');

  await user.click(screen.getByRole('button', { name: 'Show older' }));

  expect(await log.findByText('ann')).toBeInTheDocument();
  expect(log.getAllByRole('listitem')).toHaveLength(2);
});

it('erases only after the word is typed, and shows the number of erased events', async () => {
  const user = userEvent.setup();
  const { container, requests } = open({
    'POST /console/api/erasure/matches': () => json({ projects: [] }),
    'POST /console/api/erasure': () => json({ events: 12, feedback: 1, spooled: 2 }),
  });
  await user.type(await screen.findByLabelText('Email, name or ID of the user'), 'ann@example.org');
  await user.click(screen.getByRole('button', { name: 'Erase…' }));

  const dialog = within(screen.getByRole('dialog', { name: 'Erase permanently?' }));
  expect(dialog.getByText('all data about ann@example.org')).toBeInTheDocument();
  expect(dialog.getByRole('button', { name: 'Erase permanently' })).toBeDisabled();
  expect(await axe(container)).toHaveNoViolations();
  await user.type(dialog.getByLabelText(/^Type/), 'erase{Enter}');

  expect(
    await screen.findByText(
      'Erased: 12 events, 1 feedback message and 2 queued envelopes. Issue counts stay.',
    ),
  ).toBeInTheDocument();
  expect(requests).toContain('POST /console/api/erasure {"user":"ann@example.org"}');
});

it('shows before an erasure which projects it matches, and erases in the chosen one', async () => {
  const user = userEvent.setup();
  const project = 'https://key@errors.example/2';
  const found = { events: 12, feedback: 1, spooled: 0 };
  const { container, requests } = open({
    'POST /console/api/erasure/matches': () =>
      json({
        projects: [
          { project: 'https://key@errors.example/1', ...found },
          { project, ...found },
        ],
      }),
    'POST /console/api/erasure': () => json(found),
  });
  await user.type(await screen.findByLabelText('Email, name or ID of the user'), '7');
  await user.click(screen.getByRole('button', { name: 'Erase…' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Erase permanently?' }));

  const choice = await dialog.findByRole('radio', {
    name: 'errors.example/2: 12 events, 1 feedback message and 0 queued envelopes',
  });
  expect(dialog.getByRole('radio', { name: 'All projects' })).toBeChecked();
  expect(await axe(container)).toHaveNoViolations();
  await user.click(choice);
  await user.type(dialog.getByLabelText(/^Type/), 'erase{Enter}');

  expect(await screen.findByText(/^Erased: 12 events/)).toBeInTheDocument();
  expect(requests).toContain(`POST /console/api/erasure {"user":"7","project":"${project}"}`);
  expect(requests.filter((request) => request.includes('/matches'))).toHaveLength(1);
});

it('erases one event by its id, and rejects a text that is none', async () => {
  const user = userEvent.setup();
  const { requests } = open({
    'POST /console/api/erasure': () => problem(500, 'Internal Server Error', { digest: 'ER45-0000' }),
  });
  await user.click(await screen.findByRole('radio', { name: 'Event' }));

  await user.type(screen.getByLabelText('Event ID'), '4f0c');
  expect(screen.getByRole('button', { name: 'Erase…' })).toBeDisabled();
  await user.type(screen.getByLabelText('Event ID'), '0'.repeat(28));
  await user.click(screen.getByRole('button', { name: 'Erase…' }));
  await user.type(screen.getByLabelText(/^Type/), 'erase{Enter}');

  expect(await screen.findByText(/Digest: ER45-0000/)).toBeInTheDocument();
  expect(requests).toContain(`POST /console/api/erasure {"eventId":"4f0c${'0'.repeat(28)}"}`);
});

it('shows support its own sessions, and names the role that sees the others', async () => {
  const { container, requests } = open({
    'GET /console/api/session': SUPPORT,
    'GET /console/api/sessions': () => json({ sessions: [{ ...OTHER, own: true }] }),
  });

  expect(await screen.findByRole('heading', { name: 'Your sessions' })).toBeInTheDocument();
  expect(
    screen.getByRole('heading', { name: 'Audit log and erasure are for operators' }),
  ).toBeInTheDocument();
  await screen.findByText('this browser');
  expect(requests).not.toContain('GET /console/api/audit');
  expect(await axe(container)).toHaveNoViolations();
});

it('shows in words what the server could not do, part by part', async () => {
  const { container } = open({
    'GET /console/api/sessions': () => problem(500, 'Internal Server Error'),
    'GET /console/api/audit': () => problem(500, 'Internal Server Error'),
  });

  expect(
    await screen.findByRole('heading', { name: 'The sessions could not be loaded' }),
  ).toBeInTheDocument();
  expect(
    await screen.findByRole('heading', { name: 'The audit log could not be loaded' }),
  ).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it('says that it is loading', async () => {
  open({
    'GET /console/api/sessions': () => new Promise(() => undefined),
    'GET /console/api/audit': () => new Promise(() => undefined),
  });

  expect(await screen.findByRole('status', { name: 'Loading the sessions' })).toBeInTheDocument();
  expect(screen.getByRole('status', { name: 'Loading the audit log' })).toBeInTheDocument();
});

it('says when the session is unknown', async () => {
  const { container } = open({
    'GET /console/api/session': () => problem(500, 'Internal Server Error'),
  });

  expect(await screen.findByRole('heading', { name: 'The account could not be loaded' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});
