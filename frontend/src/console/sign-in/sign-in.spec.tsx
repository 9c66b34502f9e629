import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { json, problem, type Answers } from '../../api/fake-server.fixture.ts';
import { ALL_WELL, ISSUE, SIGNED_IN, SIGNED_OUT, openConsole } from '../console.fixture.tsx';
import { hideOneTimeCode } from './one-time-code.ts';

const CODE = 'Zm9vYmFyLWJhei1xdXV4_0123456789a';

/** A server that answers 401 until the right secret is sent. */
function guarded(): Answers {
  let isSignedIn = false;
  const guard = (answer: Answers[string]) => () => (isSignedIn ? answer() : problem(401, 'Unauthorized'));
  return {
    ...Object.fromEntries(Object.entries(ALL_WELL).map(([request, answer]) => [request, guard(answer)])),
    'GET /console/api/session': () => (isSignedIn ? SIGNED_IN() : SIGNED_OUT()),
    'POST /console/api/session': () => {
      isSignedIn = true;
      return SIGNED_IN();
    },
    'DELETE /console/api/session': () => {
      isSignedIn = false;
      return new Response(null, { status: 204 });
    },
  };
}

it('keeps the pasted digest through the sign-in', async () => {
  const user = userEvent.setup();
  const { container, requests } = openConsole('/console/e/7KQ4-M2XD', guarded());
  const box = await screen.findByLabelText('Console token');
  expect(screen.getByText('You will return to')).toHaveTextContent('7KQ4-M2XD');
  expect(await axe(container)).toHaveNoViolations();

  await user.type(box, 'the-token{Enter}');

  expect(await screen.findByRole('heading', { level: 1, name: ISSUE.title })).toBeInTheDocument();
  expect(requests).toContain('POST /console/api/session {"token":"the-token"}');
});

it('has the focus on the content when the page comes and when the card comes', async () => {
  const user = userEvent.setup();
  openConsole('/console/e/7KQ4-M2XD', guarded());

  await user.type(await screen.findByLabelText('Console token'), 'the-token{Enter}');
  await screen.findByRole('heading', { level: 1, name: ISSUE.title });
  expect(screen.getByRole('main')).toHaveFocus();
  await user.click(screen.getByRole('button', { name: 'Sign out' }));

  await screen.findByLabelText('Console token');
  expect(screen.getByRole('main')).toHaveFocus();
});

it('says when signing out did not work', async () => {
  const user = userEvent.setup();
  openConsole('/console/e/7KQ4-M2XD', {
    ...ALL_WELL,
    'DELETE /console/api/session': () => problem(503, 'Service Unavailable'),
  });

  await user.click(await screen.findByRole('button', { name: 'Sign out' }));

  expect(await screen.findByRole('alert')).toHaveTextContent('You are still signed in. Try again.');
});

it('lets a password manager fill the form in', async () => {
  openConsole('/console/sign-in', guarded());

  expect(await screen.findByLabelText('Console token')).toHaveAttribute('autocomplete', 'current-password');
});

it('exchanges the code of a one-time link and leads back to the wanted page', async () => {
  window.sessionStorage.setItem('errata.wanted', '/console/e/7KQ4-M2XD');
  window.history.replaceState(null, '', `/console/sign-in#${CODE}`);
  hideOneTimeCode(window);

  const { requests } = openConsole('/console/sign-in', guarded());

  expect(await screen.findByRole('heading', { level: 1, name: ISSUE.title })).toBeInTheDocument();
  expect(requests).toContain(`POST /console/api/session {"code":"${CODE}"}`);
  expect(window.location.href).toBe('http://localhost/console/sign-in');
});

it('says when a one-time link was used before', async () => {
  window.history.replaceState(null, '', `/console/sign-in#${CODE}`);
  hideOneTimeCode(window);

  const { container } = openConsole('/console/sign-in', {
    'GET /console/api/session': SIGNED_OUT,
    'POST /console/api/session': () => problem(401, 'Unauthorized'),
  });

  expect(await screen.findByText(/This link was used or has expired/)).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it.each([
  [401, 'Wrong token.'],
  [429, 'Too many attempts.'],
  [400, 'Sign-in over plain http is refused here.'],
])('says why a token was refused (%i)', async (status, words) => {
  const user = userEvent.setup();
  openConsole('/console/sign-in', {
    'GET /console/api/session': SIGNED_OUT,
    'POST /console/api/session': () =>
      problem(status, 'Refused', { detail: 'Sign-in over plain http is refused here.' }),
  });

  await user.type(await screen.findByLabelText('Console token'), 'wrong{Enter}');

  expect(await screen.findByText(new RegExp(words))).toBeInTheDocument();
  expect(screen.getByLabelText('Console token')).toBeInvalid();
});

it('removes all loaded data on sign-out', async () => {
  const user = userEvent.setup();
  openConsole('/console/e/7KQ4-M2XD', { ...guarded(), ...ALL_WELL });

  await user.click(await screen.findByRole('button', { name: 'Sign out' }));

  expect(await screen.findByLabelText('Console token')).toBeInTheDocument();
  expect(screen.queryByText(ISSUE.title)).not.toBeInTheDocument();
});

it.each([
  ['the session', { 'GET /console/api/session': () => json({ open: false, signedIn: false }) }],
  [
    'a 403',
    { 'GET /console/api/session': () => problem(403, 'Forbidden', { detail: 'Set ERRATA_CONSOLE_TOKEN.' }) },
  ],
])('says which setting opens a closed console, by %s', async (_name, answers) => {
  const { container } = openConsole('/console', answers);

  expect(await screen.findByRole('heading', { level: 1, name: 'The console is closed' })).toBeInTheDocument();
  expect(screen.getAllByText(/ERRATA_CONSOLE_TOKEN/)).not.toHaveLength(0);
  expect(await axe(container)).toHaveNoViolations();
});

function waysOf(...ways: readonly string[]): Answers {
  return {
    'GET /console/api/session': () => json({ open: true, signedIn: false, ways, who: null, role: null }),
  };
}

it('leads to the organisation, and from there back to the pasted digest', async () => {
  const { container } = openConsole('/console/e/7KQ4-M2XD?event=2', waysOf('token', 'oidc'));

  const link = await screen.findByRole('link', { name: 'Sign in with SSO' });

  expect(link).toHaveAttribute('href', '/console/api/oidc/start?to=%2Fconsole%2Fe%2F7KQ4-M2XD%3Fevent%3D2');
  expect(screen.getByLabelText('Console token')).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it('asks for no token where there is none', async () => {
  openConsole('/console', waysOf('oidc'));

  expect(await screen.findByRole('link', { name: 'Sign in with SSO' })).toBeInTheDocument();
  expect(screen.queryByLabelText('Console token')).not.toBeInTheDocument();
});

it('leads from the sign-in page to the wanted page, more than once', async () => {
  window.sessionStorage.setItem('errata.wanted', '/console/e/7KQ4-M2XD');

  openConsole('/console/sign-in', waysOf('oidc'));

  expect(await screen.findByRole('link', { name: 'Sign in with SSO' })).toHaveAttribute(
    'href',
    '/console/api/oidc/start?to=%2Fconsole%2Fe%2F7KQ4-M2XD',
  );
  expect(window.sessionStorage.getItem('errata.wanted')).toBe('/console/e/7KQ4-M2XD');
});

it.each([
  ['denied', 'The identity provider denied access'],
  ['no_access', 'You do not have access to this console'],
  ['unverified', 'OIDC_ACCEPT_UNVERIFIED_EMAIL=on'],
  ['unreachable', 'is unreachable'],
  ['rejected', 'failed a check'],
  ['expired', 'timed out (10 minutes)'],
  ['plain_http', 'Sign-in requires HTTPS'],
  ['too_many', 'Too many attempts'],
  ['constructor', 'Sign-in failed.'],
])('says why the organisation’s sign-in came to nothing (%s)', async (code, words) => {
  const { container } = openConsole(`/console/sign-in?problem=${code}`, waysOf('oidc'));

  expect(await screen.findByRole('alert')).toHaveTextContent(words);
  expect(await axe(container)).toHaveNoViolations();
});
