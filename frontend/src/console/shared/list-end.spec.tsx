import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { json, problem } from '../../api/fake-server.fixture.ts';
import { ALL_WELL, OPERATOR, openConsole } from '../console.fixture.tsx';
import { DELIVERY, deadLetter } from '../delivery/delivery.fixture.ts';

const LIST = 'GET /console/api/dead-letters';
const LETTERS = [deadLetter(7), deadLetter(6)];

it('asks for a list of one page again that could not be refreshed', async () => {
  const user = userEvent.setup();
  const answers = [
    json({ deadLetters: LETTERS, next: null }),
    problem(500, 'Internal Server Error'),
    json({ deadLetters: [], next: null }),
  ];
  openConsole('/console/delivery', {
    ...ALL_WELL,
    'GET /console/api/session': OPERATOR,
    'GET /console/api/delivery': () => json(DELIVERY),
    [LIST]: () => answers.shift() ?? json({}),
    'POST /console/api/dead-letters/redrive': () => json({ done: 2 }),
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Select all' }));
  await user.click(screen.getByRole('button', { name: 'Send again' }));

  await user.click(await screen.findByRole('button', { name: 'Try again' }));

  expect(await screen.findByText('No dead letters')).toBeInTheDocument();
});

it('asks for the next page again when that is what failed', async () => {
  const user = userEvent.setup();
  const answers = [problem(500, 'Internal Server Error'), json({ deadLetters: [deadLetter(5)], next: null })];
  const { requests } = openConsole('/console/delivery', {
    ...ALL_WELL,
    'GET /console/api/delivery': () => json(DELIVERY),
    [LIST]: () => json({ deadLetters: LETTERS, next: '6' }),
    [`${LIST}?cursor=6`]: () => answers.shift() ?? json({}),
  });
  await user.click(await screen.findByRole('button', { name: 'Show older' }));

  await user.click(await screen.findByRole('button', { name: 'Try again' }));

  expect(await screen.findByRole('button', { name: 'Inspect dead letter 5-k3x9' })).toBeInTheDocument();
  expect(requests.filter((request) => request === LIST)).toHaveLength(1);
});
