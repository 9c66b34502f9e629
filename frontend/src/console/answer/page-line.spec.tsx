import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { json, problem } from '../../api/fake-server.fixture.ts';
import { ALL_WELL, ANSWER, openConsole, OPERATOR, SUPPORT } from '../console.fixture.tsx';

const PATH = '/console/e/7KQ4-M2XD';
const LINE = 'PUT /console/api/issues/7KQ4-M2XD/page-line?project=1';
const SHOWN = { text: 'We are on it.', isShown: true };

/** A server whose issue has this line until another one is saved. */
function serverWith(pageLine: object | null, change: object = {}) {
  let stored = pageLine;
  return {
    ...ALL_WELL,
    'GET /console/api/session': OPERATOR,
    'GET /console/api/issues/7KQ4-M2XD': () => json({ ...ANSWER, ...change, pageLine: stored }),
    [LINE]: () => {
      stored = { ...pageLine, text: 'Back at 15:00.' };
      return json(stored);
    },
  };
}

it('saves a line for the error pages of the issue, as one line', async () => {
  const user = userEvent.setup();
  const { container, requests } = openConsole(PATH, serverWith({ ...SHOWN, text: '' }));
  const box = await screen.findByLabelText('Line for users');

  await user.type(box, ' Back {Enter}at 15:00. ');
  await user.click(screen.getByRole('button', { name: 'Save' }));

  expect(await screen.findByText('Saved.')).toBeInTheDocument();
  expect(box).toHaveValue('Back at 15:00.');
  expect(requests).toContain(`${LINE} {"text":"Back at 15:00."}`);
  expect(screen.queryByText(/^Not shown/)).not.toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it('removes the line with an empty text', async () => {
  const user = userEvent.setup();
  const { requests } = openConsole(PATH, serverWith(SHOWN));
  const box = await screen.findByLabelText('Line for users');

  await user.clear(box);
  await user.click(screen.getByRole('button', { name: 'Save' }));

  expect(await screen.findByText('Saved.')).toBeInTheDocument();
  expect(requests).toContain(`${LINE} {"text":""}`);
});

it('keeps the text of a line that could not be saved', async () => {
  const user = userEvent.setup();
  const server = { ...serverWith(SHOWN), [LINE]: () => problem(503, 'Service Unavailable') };
  openConsole(PATH, server);
  const box = await screen.findByLabelText('Line for users');

  await user.type(box, ' Soon.');
  await user.click(screen.getByRole('button', { name: 'Save' }));

  expect(await screen.findByText(/^The line was not saved\./)).toBeInTheDocument();
  expect(box).toHaveValue('We are on it. Soon.');
});

it.each([
  ['pages are plain', { ...SHOWN, isShown: false }, {}, /ERRATA_ERROR_PAGE/],
  ['the issue is resolved', SHOWN, { status: 'resolved' }, /while it is resolved; shown again when/],
])('says that %s', async (_, pageLine, change, words) => {
  openConsole(PATH, serverWith(pageLine, change));

  expect(await screen.findByText(/^Not shown/)).toHaveTextContent(words);
});

it('lets support read the line', async () => {
  openConsole(PATH, { ...serverWith(SHOWN), 'GET /console/api/session': SUPPORT });

  expect(await screen.findByText('We are on it.')).toBeInTheDocument();
  expect(screen.queryByLabelText('Line for users')).not.toBeInTheDocument();
});

it.each([
  ['an issue without error pages', serverWith(null)],
  ['support without a line', { ...serverWith({ ...SHOWN, text: '' }), 'GET /console/api/session': SUPPORT }],
])('has nothing to say of %s', async (_, server) => {
  openConsole(PATH, server);
  await screen.findByText('The fix is in review.');

  expect(screen.queryByRole('heading', { name: 'Error page' })).not.toBeInTheDocument();
});
