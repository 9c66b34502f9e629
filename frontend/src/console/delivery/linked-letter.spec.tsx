import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { json, problem, type Answers } from '../../api/fake-server.fixture.ts';
import { ALL_WELL, OPERATOR, openConsole } from '../console.fixture.tsx';
import { DEAD_LETTER, DELIVERY, deadLetter } from './delivery.fixture.ts';

const WELL: Answers = {
  ...ALL_WELL,
  'GET /console/api/session': OPERATOR,
  'GET /console/api/delivery': () => json(DELIVERY),
  'GET /console/api/dead-letters': () =>
    json({ deadLetters: [deadLetter(9), deadLetter(8)], next: '8-k3x9' }),
  'GET /console/api/dead-letters/7-k3x9': () => json(DEAD_LETTER),
};

function open(answers: Answers = {}) {
  return openConsole('/console/delivery?letter=7-k3x9', { ...WELL, ...answers });
}

it('opens the dead letter the address names above the list, however far down it is', async () => {
  const { container } = open();

  expect(await screen.findByText(/"password": "\[Filtered\]"/)).toBeInTheDocument();
  await screen.findByRole('button', { name: 'Inspect dead letter 8-k3x9' });

  const boxes = within(screen.getByRole('list', { name: 'Dead letters' })).getAllByRole('checkbox');
  expect(boxes.map((box) => box.closest('label')?.textContent)).toEqual(
    [7, 9, 8].map((id) => `Select dead letter ${id}-k3x9`),
  );
  expect(container.querySelector('h3:focus')).toHaveTextContent('Too large for the upstream');
  expect(await axe(container)).toHaveNoViolations();
});

it('lets it go once it was sent again', async () => {
  const user = userEvent.setup();
  const answers = [json(DEAD_LETTER)];
  open({
    'GET /console/api/dead-letters/7-k3x9': () => answers.shift() ?? problem(404, 'Not Found'),
    'POST /console/api/dead-letters/redrive': () => json({ done: 1 }),
  });

  await user.click(await screen.findByRole('checkbox', { name: 'Select dead letter 7-k3x9' }));
  await user.click(screen.getByRole('button', { name: 'Send again' }));

  expect(await screen.findByText(/^Dead letter 7-k3x9 no longer exists/)).toBeInTheDocument();
  expect(screen.queryByRole('checkbox', { name: 'Select dead letter 7-k3x9' })).not.toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it('says of one that another process has that it is not here', async () => {
  open({ 'GET /console/api/dead-letters/7-k3x9': () => problem(409, 'Conflict') });

  expect(await screen.findByText(/^Dead letter 7-k3x9 is on another replica/)).toBeInTheDocument();
});
