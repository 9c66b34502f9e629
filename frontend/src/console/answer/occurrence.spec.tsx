import { screen, within } from '@testing-library/react';
import { axe } from 'jest-axe';
import { json } from '../../api/fake-server.fixture.ts';
import { ALL_WELL, ANSWER, EVENT, entry, openConsole } from '../console.fixture.tsx';

const PATH = '/console/e/7KQ4-M2XD';

function answering(change: object) {
  return { ...ALL_WELL, 'GET /console/api/issues/7KQ4-M2XD': () => json({ ...ANSWER, ...change }) };
}

it('shows browser and server in one timeline, marks the failure, and links the other event', async () => {
  openConsole(PATH, ALL_WELL);

  const line = within(await screen.findByRole('region', { name: 'Timeline' }));

  expect(line.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
    expect.stringContaining('browserui.clickbutton#pay'),
    expect.stringContaining('serverrequestPOST /checkout/1'),
    expect.stringMatching(/serverexceptionTypeError: cart is undefined ◂ this error$/),
    expect.stringMatching(/browserexceptionerror ApiError: status 500$/),
  ]);
  expect(line.getByRole('link', { name: 'ApiError: status 500' })).toHaveAttribute(
    'href',
    `/console/e/9XWE-H3V7?event=${'b'.repeat(32)}`,
  );
});

it.each([
  ['reference', 'Same request: ApiError: status 500'],
  ['request_id', 'Same request: ApiError: status 500'],
  ['trace_id', 'Same trace: ApiError: status 500'],
])('links the other event under the cause (%s)', async (joinedBy, words) => {
  const linkedEvent = { ...EVENT.linkedEvent, joinedBy };
  openConsole(PATH, answering({ latest: { ...EVENT, linkedEvent } }));

  const cause = within(await screen.findByRole('region', { name: 'Cause' }));

  const link = cause.getByRole('link', { name: 'ApiError: status 500' });
  expect(link).toHaveAttribute('href', `/console/e/9XWE-H3V7?event=${'b'.repeat(32)}`);
  expect(link.parentElement).toHaveTextContent(words);
});

it.each([
  ['2026-11-21T03:07:15Z', '45 s earlier'],
  ['2026-11-21T03:13:00Z', '5 min later'],
  [EVENT.time, 'at the same time'],
])('links another failure of the same fault below the timeline (%s)', async (time, distance) => {
  const nearbyEvent = { ...EVENT.linkedEvent, kind: 'browser', time };
  const { container } = openConsole(PATH, answering({ latest: { ...EVENT, nearbyEvent } }));

  const link = await screen.findByRole('link', { name: 'Another browser error of this fault' });

  expect(link).toHaveAttribute('href', `/console/e/9XWE-H3V7?event=${'b'.repeat(32)}`);
  expect(link.parentElement).toHaveTextContent(`Another browser error of this fault, ${distance}`);
  expect(await axe(container)).toHaveNoViolations();
});

it.each([
  ['browser', 'public key'],
  ['gateway', ''],
  ['unknown', ''],
])('marks links to events that anyone can have sent (%s)', async (origin, mark) => {
  const other = { ...EVENT.linkedEvent, provenance: { origin } };
  const nearbyEvent = { ...other, kind: 'browser', time: EVENT.time };
  openConsole(PATH, answering({ latest: { ...EVENT, linkedEvent: other, nearbyEvent } }));

  const near = await screen.findByRole('link', { name: 'Another browser error of this fault' });

  const same = within(screen.getByRole('region', { name: 'Cause' })).getByRole('link', {
    name: 'ApiError: status 500',
  });
  expect(same.parentElement?.textContent.trim()).toBe(`Same request: ApiError: status 500 ${mark}`.trim());
  expect(near.parentElement?.textContent.trim()).toBe(
    `Another browser error of this fault, at the same time ${mark}`.trim(),
  );
});

it('folds what happened long before', async () => {
  const timeline = Array.from({ length: 25 }, (_, index) => entry(1, 'browser', 'fetch', `GET /${index}`));
  openConsole(PATH, answering({ latest: { ...EVENT, timeline } }));

  const earlier = await screen.findByText('5 earlier entries');

  expect(earlier.closest('details')).not.toHaveAttribute('open');
  expect(earlier.closest('details')).toHaveTextContent('GET /4');
  expect(screen.getByText('GET /5').closest('details')).toBeNull();
});

it('gives a date to what happened on another day than the row before', async () => {
  const times = [new Date(2025, 11, 31, 23, 59, 59), new Date(2026, 0, 1), new Date(2026, 0, 1, 0, 0, 1)];
  const timeline = times.map((time) => ({ ...entry(0, 'server', 'log', 'x'), time: time.toISOString() }));
  const time = new Date(2026, 0, 1, 0, 0, 1).toISOString();
  openConsole(PATH, answering({ latest: { ...EVENT, time, timeline } }));

  const rows = within(await screen.findByRole('region', { name: 'Timeline' })).getAllByRole('listitem');

  expect(rows.map((row) => row.querySelector('time')?.textContent)).toEqual([
    expect.stringMatching(/^31 Dec, 23:59:59\.000 \S+$/),
    expect.stringMatching(/^1 Jan, 00:00:00\.000 \S+$/),
    expect.stringMatching(/^00:00:01\.000 \S+$/),
  ]);
});

it('says nothing of a time line that is not there', async () => {
  openConsole(PATH, answering({ latest: { ...EVENT, timeline: [] } }));

  await screen.findByRole('heading', { name: 'Cause' });

  expect(screen.queryByRole('heading', { name: 'Timeline' })).not.toBeInTheDocument();
});

it('has the key facts at hand, to copy', async () => {
  openConsole(PATH, ALL_WELL);

  const facts = await screen.findByRole('region', { name: 'Key facts' });

  expect(facts).toHaveTextContent('Userann@example.org');
  expect(facts).toHaveTextContent('id 8812');
  expect(facts).toHaveTextContent('Serverweb-7d9-x2');
  for (const name of ['Copy reference', 'Copy event ID', 'Copy user'])
    expect(within(facts).getByRole('button', { name })).toBeInTheDocument();
});

it.each([
  ['own', 'Sent byThis server'],
  ['gateway', 'Sent byA gateway'],
  ['server_key', 'Sent byA server, with its key'],
  ['browser', 'Sent byPublic key'],
])('says who sent an event: %s', async (origin, text) => {
  openConsole(PATH, answering({ latest: { ...EVENT, provenance: { origin } } }));

  expect(await screen.findByRole('region', { name: 'Key facts' })).toHaveTextContent(text);
});

it('has no sender for an event of an earlier version', async () => {
  openConsole(PATH, answering({ latest: { ...EVENT, provenance: { origin: 'unknown' } } }));

  expect(await screen.findByRole('region', { name: 'Key facts' })).not.toHaveTextContent('Sent by');
});

it.each([
  ['delivered', /Deliveredsentry\.example21 Nov, .*2 attempts$/],
  ['queued', /Queuedsentry\.example/],
  ['dead_lettered', /\(dead letter\)sentry\.example/],
  ['expired', /Expired in the queue/],
  ['dropped', /Dropped \(queue full\)/],
  ['discarded', /Discarded by an operator/],
  ['stored_only', /Stored here only \(no upstream\)21 Nov/],
  ['unknown', /Unknown/],
])('says where the event is on its way upstream (%s)', async (state, words) => {
  const { container } = openConsole(
    PATH,
    answering({ latest: { ...EVENT, delivery: { ...EVENT.delivery, state } } }),
  );

  await screen.findByText('/checkout/2');

  expect(screen.getByText('Upstream').nextElementSibling?.textContent).toMatch(words);
  expect(await axe(container)).toHaveNoViolations();
});

it('leads from a dead letter to where it can be sent again', async () => {
  const delivery = {
    ...EVENT.delivery,
    state: 'dead_lettered',
    reason: 'send_error',
    status: 413,
    deadLetterId: '7-k3x9',
  };
  openConsole(PATH, answering({ latest: { ...EVENT, delivery } }));

  expect(await screen.findByRole('link', { name: 'Send it again on the Delivery page' })).toHaveAttribute(
    'href',
    '/console/delivery?letter=7-k3x9',
  );
  expect(screen.getByText('too large for the upstream')).toBeInTheDocument();
});

it('keeps request, tags and contexts folded, and offers the event as a file', async () => {
  openConsole(PATH, ALL_WELL);

  const request = await screen.findByRole('heading', { name: 'Request' });

  expect(request.closest('details')).not.toHaveAttribute('open');
  expect(request.closest('details')).toHaveTextContent('{"order":4711}');
  expect(screen.getByRole('heading', { name: 'Tags' }).closest('details')).toHaveTextContent('/checkout');
  expect(screen.getByRole('heading', { name: 'Contexts' }).closest('details')).toHaveTextContent('namenode');
  expect(screen.getByRole('link', { name: /as JSON/ })).toHaveAttribute(
    'href',
    `/console/api/events/${EVENT.eventId}/raw?project=1`,
  );
});

it('says where a body was cut', async () => {
  const request = { ...EVENT.request, body: 'x'.repeat(8_192) };
  openConsole(PATH, answering({ latest: { ...EVENT, request } }));

  expect(await screen.findByText('Truncated: first 8 KiB stored.')).toBeInTheDocument();
});

it('shows feedback of users, and links only valid addresses', async () => {
  const entryOf = (url: string) => ({
    time: '2026-11-21T03:00:00Z',
    message: 'I pressed Pay twice.',
    name: 'Ann',
    contact: 'ann@example.org',
    eventId: EVENT.eventId,
    url,
    provenance: { origin: 'browser', isConfirmed: false },
  });
  openConsole(PATH, answering({ feedback: [entryOf('javascript:alert(1)')] }));

  const list = within(await screen.findByRole('list', { name: 'Feedback' }));

  expect(list.getByText('I pressed Pay twice.')).toBeInTheDocument();
  expect(list.getByText('public key')).toBeInTheDocument();
  expect(list.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    `${PATH}?event=${EVENT.eventId}`,
  ]);
});
