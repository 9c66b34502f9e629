import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { json, problem } from '../../api/fake-server.fixture.ts';
import {
  ALL_WELL,
  ANSWER,
  EVENT,
  ISSUE,
  occurrence,
  openConsole,
  OPERATOR,
  SIGNED_OUT,
  SUPPORT,
} from '../console.fixture.tsx';
import { deadLetter, DELIVERY } from '../delivery/delivery.fixture.ts';

const PATH = '/console/e/7KQ4-M2XD';
const STATUS = 'POST /console/api/issues/status';
const NOW = Date.now;
const NOTES = 'POST /console/api/issues/7KQ4-M2XD/notes?project=1';

afterEach(() => {
  Date.now = NOW;
  window.sessionStorage.clear();
});

/** A server that applies a change to its one issue. */
function obeying(change: object) {
  let answer: object = ANSWER;
  const obey = (reply: unknown) => () => {
    answer = { ...ANSWER, ...change };
    return json(reply);
  };
  return {
    ...ALL_WELL,
    'GET /console/api/issues/7KQ4-M2XD': () => json(answer),
    [STATUS]: obey({ changed: 1 }),
    [NOTES]: obey({}),
  };
}

it('resolves the issue and says so', async () => {
  const user = userEvent.setup();
  const { container, requests } = openConsole(PATH, obeying({ status: 'resolved' }));

  await user.click(await screen.findByRole('button', { name: 'Resolve' }));

  expect(await screen.findByText('Now: Resolved')).toBeInTheDocument();
  expect(requests).toContain(
    `${STATUS} {"issues":[{"key":"${ISSUE.key}","project":"1"}],"status":"resolved","resolvedIn":null}`,
  );
  expect(await axe(container)).toHaveNoViolations();
});

it('resolves it in the release that has the fix', async () => {
  const user = userEvent.setup();
  const { requests } = openConsole(PATH, obeying({ status: 'resolved', resolvedIn: '1.4.3' }));

  await user.type(await screen.findByLabelText('Resolve in release'), '1.4.3{Enter}');

  expect(await screen.findByText('Now: Resolved in 1.4.3')).toBeInTheDocument();
  expect(requests).toContain(
    `${STATUS} {"issues":[{"key":"${ISSUE.key}","project":"1"}],"status":"resolved","resolvedIn":"1.4.3"}`,
  );
});

it('says when the status could not be changed', async () => {
  const user = userEvent.setup();
  openConsole(PATH, { ...ALL_WELL, [STATUS]: () => problem(500, 'Internal Server Error') });

  await user.click(await screen.findByRole('button', { name: 'Ignore' }));

  expect(await screen.findByText('The status could not be changed. Try again.')).toBeInTheDocument();
});

it('lets support read, and change nothing', async () => {
  const { container } = openConsole(PATH, { ...ALL_WELL, 'GET /console/api/session': SUPPORT });

  await screen.findByRole('button', { name: 'sam@example.org' });

  expect(await screen.findByTitle('Only operators can change the status')).toHaveTextContent('Open');
  expect(screen.getByText('The fix is in review.')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Ignore' })).not.toBeInTheDocument();
  expect(screen.queryByLabelText('Add a note')).not.toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it('adds a note', async () => {
  const user = userEvent.setup();
  const notes = [{ id: 2, time: '2026-11-21T03:10:00Z', author: 'ann', text: 'It was the coupon.' }];
  const { requests } = openConsole(PATH, obeying({ notes }));
  const box = await screen.findByLabelText('Add a note');

  await user.type(box, 'It was the coupon.');
  await user.click(screen.getByRole('button', { name: 'Add' }));

  expect(await screen.findByText('It was the coupon.', { selector: 'p' })).toBeInTheDocument();
  expect(requests).toContain(`${NOTES} {"text":"It was the coupon."}`);
  expect(box).toHaveValue('');
});

it('keeps the text of a note that could not be added', async () => {
  const user = userEvent.setup();
  openConsole(PATH, { ...ALL_WELL, [NOTES]: () => problem(503, 'Service Unavailable') });
  const box = await screen.findByLabelText('Add a note');

  await user.type(box, 'It was the coupon.');
  await user.click(screen.getByRole('button', { name: 'Add' }));

  expect(await screen.findByText(/Your text is still here/)).toBeInTheDocument();
  expect(box).toHaveValue('It was the coupon.');
});

/** Collects copied texts. */
function watchClipboard(): readonly string[] {
  const copied: string[] = [];
  Object.defineProperty(navigator, 'clipboard', {
    value: { writeText: async (text: string) => void copied.push(text) },
    configurable: true,
  });
  return copied;
}

it('copies the link and the Markdown of the occurrence in sight', async () => {
  const user = userEvent.setup();
  openConsole(PATH, ALL_WELL);
  const copied = watchClipboard();

  await user.click(await screen.findByRole('button', { name: 'Copy link' }));
  await user.click(screen.getByRole('button', { name: 'Copy Markdown' }));

  expect(copied).toEqual([
    `http://localhost${PATH}`,
    expect.stringMatching(/^## TypeError: cart is undefined\n[^]*0{31}1/),
  ]);
});

it('copies no other occurrence under the link of one that is on its way', async () => {
  const user = userEvent.setup();
  openConsole(PATH, {
    ...ALL_WELL,
    [`GET /console/api/events/${occurrence(2).eventId}`]: () => new Promise(() => undefined),
  });
  const copied = watchClipboard();

  await user.click(await screen.findByRole('link', { name: 'Older ›' }));
  await user.click(screen.getByRole('button', { name: 'Copy Markdown' }));

  expect(copied).toEqual([expect.stringMatching(/0{31}2\n\nThe event was not loaded when this was copied/)]);
});

it('still takes notes when only the counts are left', async () => {
  const { container } = openConsole(PATH, {
    ...ALL_WELL,
    'GET /console/api/issues/7KQ4-M2XD': () => json({ ...ANSWER, latest: null }),
  });

  await screen.findByText('/checkout/2');
  const heading = screen.getByRole('heading', { name: 'Notes' });

  expect(within(heading.closest('section') ?? heading).getByLabelText('Add a note')).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it('says where an event is after its dead letter was sent again', async () => {
  const user = userEvent.setup();
  const { eventId } = occurrence(2);
  const refused = { ...EVENT.delivery, state: 'dead_lettered', deadLetterId: 7 };
  let delivery: object = refused;
  openConsole(`${PATH}?event=${eventId}`, {
    ...ALL_WELL,
    [`GET /console/api/events/${eventId}`]: () => json({ ...EVENT, ...occurrence(2), delivery }),
    [`GET /console/api/find?q=${eventId}`]: () =>
      json({ reading: 'event_id', issues: [ISSUE], eventId, next: null }),
    'GET /console/api/delivery': () => json(DELIVERY),
    'GET /console/api/dead-letters': () => json({ deadLetters: [deadLetter(7, { eventId })], next: null }),
    'POST /console/api/dead-letters/redrive': () => {
      delivery = { ...refused, state: 'delivered', deadLetterId: null };
      return json({ done: 1 });
    },
  });

  await user.click(await screen.findByRole('link', { name: 'Send it again on the Delivery page' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Select all' }));
  await user.click(screen.getByRole('button', { name: 'Send again' }));
  await user.click(screen.getByRole('link', { name: /^Find event/ }));

  expect(await screen.findByText('Delivered')).toBeInTheDocument();
});

it('asks again for an occurrence that is looked at later', async () => {
  const { eventId } = occurrence(2);
  const states = ['queued', 'delivered'];
  openConsole(`${PATH}?event=${eventId}`, {
    ...ALL_WELL,
    [`GET /console/api/events/${eventId}`]: () =>
      json({ ...EVENT, ...occurrence(2), delivery: { ...EVENT.delivery, state: states.shift() } }),
  });
  await screen.findByText('Queued');

  const soon = Date.now() + 60_000;
  Date.now = () => soon;
  act(() => void window.dispatchEvent(new Event('visibilitychange')));

  expect(await screen.findByText('Delivered')).toBeInTheDocument();
});

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

it('leaves no half-written note to the next user', async () => {
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
