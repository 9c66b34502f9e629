import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { json, problem } from '../../api/fake-server.fixture.ts';
import { ALL_WELL, OPERATOR, SIGNED_OUT, openConsole } from '../console.fixture.tsx';

const PATH = '/console/e/7KQ4-M2XD';
const NOTES = 'POST /console/api/issues/7KQ4-M2XD/notes?project=1';

afterEach(() => window.sessionStorage.clear());

it('keeps a half-written note through the end of the session, until it is saved', async () => {
  const user = userEvent.setup();
  let isSignedIn = true;
  openConsole(PATH, {
    ...ALL_WELL,
    'GET /console/api/session': () => (isSignedIn ? OPERATOR() : SIGNED_OUT()),
    'POST /console/api/session': () => {
      isSignedIn = true;
      return OPERATOR();
    },
    [NOTES]: () => (isSignedIn ? json({}) : problem(401, 'Unauthorized')),
  });
  await user.type(await screen.findByLabelText('Add a note'), 'It was the coupon.');

  isSignedIn = false;
  await user.click(screen.getByRole('button', { name: 'Add' }));
  await user.type(await screen.findByLabelText('Console token'), 'the-token{Enter}');

  expect(await screen.findByLabelText('Add a note')).toHaveValue('It was the coupon.');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText('Added.')).toBeInTheDocument();
  expect(window.sessionStorage.getItem('errata.notes')).toBeNull();
});

it('leaves no half-written note to whoever signs in next', async () => {
  const user = userEvent.setup();
  openConsole(PATH, {
    ...ALL_WELL,
    'DELETE /console/api/session': () => new Response(null, { status: 204 }),
  });
  await user.type(await screen.findByLabelText('Add a note'), 'It was the coupon.');

  await user.click(screen.getByRole('button', { name: 'Sign out' }));

  expect(await screen.findByLabelText('Console token')).toBeInTheDocument();
  expect(window.sessionStorage.getItem('errata.notes')).toBeNull();
});
