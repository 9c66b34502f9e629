import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { json, problem, type Answers } from '../../api/fake-server.fixture.ts';
import { ALL_WELL, OPERATOR, SUPPORT, openConsole } from '../console.fixture.tsx';
import { DEAD_LETTER, DELIVERY, deadLetter } from './delivery.fixture.ts';

const LETTERS = [
  deadLetter(7, { reason: 'send_error' }),
  deadLetter(6, { reason: 'malformed', status: null, canRedrive: false }),
];

const WELL: Answers = {
  ...ALL_WELL,
  'GET /console/api/session': OPERATOR,
  'GET /console/api/delivery': () => json(DELIVERY),
  'GET /console/api/dead-letters': () => json({ deadLetters: LETTERS, next: null }),
  'GET /console/api/dead-letters/7-k3x9': () => json(DEAD_LETTER),
};

function open(answers: Answers = {}) {
  return openConsole('/console/delivery', { ...WELL, ...answers });
}

async function list() {
  return within(await screen.findByRole('list', { name: 'Dead letters' }));
}

it('says in one sentence that nothing is lost, and where everything is', async () => {
  const { container } = open();

  expect(await screen.findByRole('heading', { name: 'Nothing is lost' })).toBeInTheDocument();
  expect(
    screen.getByText(
      'Of 12,481 envelopes received, 12,402 are delivered, 67 wait on the disk and 12 went to the dead letters.',
    ),
  ).toBeInTheDocument();
  expect(screen.getByText('9 × the upstream limits the rate')).toBeInTheDocument();
  expect((await list()).getByText('Too large for the upstream')).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it('lists what the tunnel refused, by reason', async () => {
  const refused = [
    { reason: 'rate_limited', count: 9 },
    { reason: 'too_large', count: 3 },
  ];
  open({ 'GET /console/api/delivery': () => json({ ...DELIVERY, refused }) });

  const figure = (await screen.findByText('Refused in 24 hours')).parentElement;

  expect(figure).toHaveTextContent('Refused in 24 hours12');
  expect(figure).toHaveTextContent('9 × rate limit3 × too large');
});

it('says of each upstream whether it takes anything, why not, and until when', async () => {
  open();

  const upstream = (await screen.findByRole('heading', { name: 'sentry.example/42' })).closest('li');

  expect(upstream).toHaveTextContent('Failing');
  expect(upstream).toHaveTextContent('the upstream answered 503');
  expect(upstream).toHaveTextContent(/No transactions\s*until/);
  expect(upstream).toHaveTextContent('Waiting67');
});

it('shows the room of the spool as a picture and in words', async () => {
  open();

  const meter = await screen.findByRole('meter', { name: 'Room used on the disk' });

  expect(meter).toHaveAttribute('aria-valuetext', '3.1 MiB of 512 MiB (0.6 %)');
  expect(screen.getByRole('row', { name: /Errors and feedback 60 2.9 MiB/ })).toBeInTheDocument();
  expect(screen.getByRole('row', { name: /limited by the upstream transactions 240/ })).toBeInTheDocument();
});

it('lists every class, though the server names only those that have something', async () => {
  open({
    'GET /console/api/delivery': () => json({ ...DELIVERY, classes: DELIVERY.classes.slice(1, 2) }),
  });

  expect(await screen.findByRole('row', { name: /Errors and feedback 0 – –/ })).toBeInTheDocument();
  expect(screen.getByRole('row', { name: /Sessions and check-ins 7 245 KiB/ })).toBeInTheDocument();
  expect(screen.getByRole('row', { name: /Replays 0 – –/ })).toBeInTheDocument();
});

it('goes through the dead letters by j, also from a tick', async () => {
  const user = userEvent.setup();
  open();
  await list();

  await user.keyboard('j');
  expect(screen.getByRole('button', { name: 'Inspect dead letter 7' })).toHaveFocus();
  await user.click(screen.getByRole('checkbox', { name: 'Select dead letter 7' }));
  await user.keyboard('j');

  expect(screen.getByRole('button', { name: 'Inspect dead letter 6' })).toHaveFocus();
});

it('shows what is in a dead letter when somebody asks, and not before', async () => {
  const user = userEvent.setup();
  const { container, requests } = open();
  await list();
  expect(requests).not.toContain('GET /console/api/dead-letters/7-k3x9');

  await user.click(screen.getByRole('button', { name: 'Inspect dead letter 7-k3x9' }));

  expect(await screen.findByText(/"password": "\[Filtered\]"/)).toBeInTheDocument();
  expect(screen.getByText('No JSON: not shown.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Close dead letter 7-k3x9' })).toHaveAttribute(
    'aria-expanded',
    'true',
  );
  expect(await axe(container)).toHaveNoViolations();
});

it('sends again what is ticked and can be sent, and says what came of it', async () => {
  const user = userEvent.setup();
  const { requests } = open({ 'POST /console/api/dead-letters/redrive': () => json({ done: 1 }) });
  await list();

  await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
  await user.click(screen.getByRole('button', { name: 'Send again' }));

  expect(await screen.findByText('1 dead letter sent again.')).toBeInTheDocument();
  expect(requests).toContain('POST /console/api/dead-letters/redrive {"ids":["7-k3x9"]}');
  expect(screen.getByRole('checkbox', { name: 'Select all' })).not.toBeChecked();
});

it('says what came of it when the list is empty for it', async () => {
  const user = userEvent.setup();
  const lists = [LETTERS, []];
  open({
    'GET /console/api/dead-letters': () => json({ deadLetters: lists.shift() ?? [], next: null }),
    'POST /console/api/dead-letters/discard': () => json({ done: 2 }),
  });
  await list();
  await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
  await user.click(screen.getByRole('button', { name: 'Discard…' }));

  await user.click(screen.getByRole('button', { name: 'Discard 2 dead letters' }));

  expect(await screen.findByText('2 dead letters discarded.')).toHaveFocus();
  expect(screen.getByText('There are none.')).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

it('discards only after asking, by keyboard too', async () => {
  const user = userEvent.setup();
  const { container, requests } = open({ 'POST /console/api/dead-letters/discard': () => json({ done: 1 }) });
  await list();
  await user.click(screen.getByRole('checkbox', { name: 'Select all' }));

  await user.click(screen.getByRole('button', { name: 'Discard…' }));
  expect(screen.getByRole('dialog', { name: 'Discard 2 dead letters?' })).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
  expect(requests.filter((request) => request.startsWith('POST'))).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Discard 2 dead letters' }));

  expect(
    await screen.findByText(
      '1 dead letter discarded. 1 dead letter could not be: gone already, or without an upstream.',
    ),
  ).toBeInTheDocument();
  expect(requests).toContain('POST /console/api/dead-letters/discard {"ids":["7-k3x9","6-k3x9"]}');
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

it('discards nothing when somebody changes their mind', async () => {
  const user = userEvent.setup();
  const { requests } = open();
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
  open({
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
  open({ 'GET /console/api/session': SUPPORT });
  await list();

  await user.click(screen.getByRole('checkbox', { name: 'Select dead letter 7-k3x9' }));

  expect(
    await screen.findByText('You are signed in as support: only operators send again or discard.'),
  ).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Send again' })).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Discard…' })).toBeDisabled();
});

it('shows older dead letters page by page', async () => {
  const user = userEvent.setup();
  open({
    'GET /console/api/dead-letters': () => json({ deadLetters: LETTERS, next: '6-k3x9' }),
    'GET /console/api/dead-letters?cursor=6-k3x9': () => json({ deadLetters: [deadLetter(5)], next: null }),
  });
  await list();

  await user.click(screen.getByRole('button', { name: 'Show older' }));

  expect(await screen.findByRole('button', { name: 'Inspect dead letter 5-k3x9' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Show older' })).not.toBeInTheDocument();
});

it('shows an empty spool as what it is', async () => {
  const { container } = open({
    'GET /console/api/delivery': () =>
      json({
        ...DELIVERY,
        accepted: 0,
        delivered: 0,
        held: 0,
        deadLettered: 0,
        ends: [],
        discards: [],
        deadLetters: 0,
      }),
    'GET /console/api/dead-letters': () => json({ deadLetters: [], next: null }),
  });

  expect(await screen.findByRole('heading', { name: 'Nothing has come in yet' })).toBeInTheDocument();
  expect(await screen.findByText('There are none.')).toBeInTheDocument();
  expect(screen.getByText('None: every item of every envelope was kept.')).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it('says which process it speaks for where there are several, and why its dead letters are not another’s', async () => {
  const user = userEvent.setup();
  open({
    'GET /console/api/delivery': () => json({ ...DELIVERY, process: 'errata-2, spool k3x9' }),
    'POST /console/api/dead-letters/redrive': () =>
      problem(409, 'Conflict', { detail: 'These are dead letters of another process.' }),
  });
  await list();

  await user.click(screen.getByRole('checkbox', { name: 'Select dead letter 7-k3x9' }));
  await user.click(screen.getByRole('button', { name: 'Send again' }));

  expect(screen.getByText(/^of errata-2, spool k3x9, as of/)).toBeInTheDocument();
  expect(
    await screen.findByText('These are dead letters of another process. (status 409)'),
  ).toBeInTheDocument();
});

it('says that it is loading', () => {
  open({ 'GET /console/api/delivery': () => new Promise(() => undefined) });

  expect(screen.getByRole('status', { name: 'Loading the figures' })).toBeInTheDocument();
});

it('shows in words what the server could not do', async () => {
  const { container } = open({
    'GET /console/api/delivery': () =>
      problem(500, 'Internal Server Error', { detail: 'The spool does not answer.', digest: 'SP00-1ED0' }),
  });

  const notice = await screen.findByRole('alert');

  expect(notice).toHaveTextContent('The spool does not answer. (status 500)');
  expect(notice).toHaveTextContent('SP00-1ED0');
  expect(await axe(container)).toHaveNoViolations();
});

it('keeps saying what the server could not do while it is asked again', async () => {
  const user = userEvent.setup();
  const answers = [problem(500, 'Internal Server Error'), new Promise<Response>(() => undefined)];
  const { requests } = open({
    'GET /console/api/delivery': async () => (await answers.shift()) ?? json(DELIVERY),
  });
  const notice = await screen.findByRole('alert');

  await user.click(screen.getByRole('button', { name: 'Try again' }));

  expect(requests.filter((request) => request.endsWith('/delivery'))).toHaveLength(2);
  expect(notice).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Try again' })).toHaveFocus();
});

it('shows hostile words as words', async () => {
  const hostile = '<img src=x onerror=alert(1)>';
  open({
    'GET /console/api/dead-letters': () =>
      json({
        deadLetters: [deadLetter(7, { detail: hostile, reason: hostile, project: hostile })],
        next: null,
      }),
  });

  expect((await list()).getAllByText(hostile)).toHaveLength(3);
  expect(document.querySelector('img')).toBeNull();
});
