import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { json, problem } from '../../api/fake-server.fixture.ts';
import { SUPPORT } from '../console.fixture.tsx';
import { DELIVERY, deadLetter } from './delivery.fixture.ts';
import { list, openDelivery } from './delivery-page.fixture.tsx';

it('says who waits for which destination, and where everything is', async () => {
  const { container } = openDelivery();

  expect(await screen.findByRole('heading', { name: 'Waiting for sentry.example/42' })).toBeInTheDocument();
  expect(screen.getByText(/^HTTP 503 from the upstream since .*01:30/)).toBeInTheDocument();
  expect(
    screen.getByText('12,481 envelopes accepted: 12,402 delivered, 67 queued on disk and 12 refused.'),
  ).toBeInTheDocument();
  const refused = screen.getByText('Refused so far').parentElement;
  expect(refused).toHaveTextContent('Refused so far129 × rate-limited by the upstream');
  expect(refused).toHaveTextContent('1 sent again');
  expect(screen.getByText('Dead letters', { selector: 'dt' }).parentElement).toHaveTextContent(/letters2$/);
  expect((await list()).getByText('Too large for the upstream')).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it('lists the rejections of the tunnel by reason', async () => {
  const rejected = [
    { reason: 'rate_limited', count: 9 },
    { reason: 'too_large', count: 3 },
  ];
  const rejectedSince = '2026-11-21T03:01:00Z';
  openDelivery({ 'GET /console/api/delivery': () => json({ ...DELIVERY, rejected, rejectedSince }) });

  const figure = (await screen.findByText(/^Rejected since \d\d:01:00 /)).parentElement;

  expect(figure).toHaveTextContent(/12/);
  expect(figure).toHaveTextContent('9 × rate limit3 × too large');
});

it('names rejected DSNs with origin, count, last time and the setting to change, as text', async () => {
  const last = '2026-11-21T03:05:00Z';
  const rejectedDsns = [
    { dsn: 'https://0123…@sentry.example/7', origin: null, reason: 'not_allowed', count: 1_204, last },
    { dsn: null, origin: '<b>https://shop.example</b>', reason: 'cross_site', count: 1, last },
  ];
  const { container } = openDelivery({
    'GET /console/api/delivery': () => json({ ...DELIVERY, rejectedDsns }),
  });

  await list();
  const section = screen.getByRole('region', { name: 'Rejected DSNs' });

  const rows = within(section).getAllByRole('row').slice(1);
  expect(rows[0]).toHaveTextContent(
    'https://0123…@sentry.example/7from a program, not in ERRATA_TUNNEL_DSNS1,204',
  );
  expect(rows[1]).toHaveTextContent(
    'DSN not readfrom <b>https://shop.example</b>, not in ERRATA_TUNNEL_ORIGINS1',
  );
  expect(within(section).getAllByText(/./, { selector: 'time' })).toHaveLength(2);
  expect(await axe(container)).toHaveNoViolations();
});

it('says of each upstream whether it takes anything, why not, and until when', async () => {
  openDelivery();

  const upstream = (await screen.findByRole('heading', { name: 'sentry.example/42' })).closest('li');

  expect(upstream).toHaveTextContent('Retrying');
  expect(upstream).toHaveTextContent('HTTP 503 from the upstream');
  expect(upstream).toHaveTextContent(/Since.*:01:30/);
  expect(upstream).toHaveTextContent(/Transactions paused\s*until/);
  expect(upstream).toHaveTextContent('Queued67');
});

it('says when a destination is tried again, and how often it rejected the DSN', async () => {
  const nextAttempt = '2026-11-21T03:14:05Z';
  const [upstream, store] = DELIVERY.sinks;
  const rejections = { times: 6, status: 403 };
  const sinks = [
    { ...upstream, state: 'paused', reason: 'dsn_rejected', nextAttempt, rejections },
    { ...store, state: 'flowing', reason: 'timeout', since: nextAttempt, nextAttempt },
  ];
  openDelivery({ 'GET /console/api/delivery': () => json({ ...DELIVERY, sinks }) });

  const place = await screen.findByRole('heading', { name: 'sentry.example/42' });

  expect(place.closest('li')).toHaveTextContent(
    /Rejected 6 times in a row \(HTTP 403\)\. Check the key and the project\. Events are queued on disk\. The next attempt is at .*:14:05 /,
  );
  expect(screen.getByRole('heading', { name: 'Local store' }).closest('li')).toHaveTextContent(
    /Retrying\s*Events are queued on disk and retried with exponential backoff\. The next attempt is at .*:14:05 /,
  );
});

it('lets operators try failing destinations at once, and says what it could not do', async () => {
  const user = userEvent.setup();
  const answers = [problem(503, 'Service Unavailable'), json({ retried: 1 })];
  openDelivery({
    'POST /console/api/delivery/retry': () => answers.shift() ?? problem(404, 'Not Found'),
  });
  const upstream = (await screen.findByRole('heading', { name: 'sentry.example/42' })).closest('li');
  const retry = await within(upstream ?? document.body).findByRole('button', { name: 'Retry now' });

  await user.click(retry);
  expect(await screen.findByText(/\(status 503\)/)).toBeInTheDocument();
  await user.click(retry);

  expect(await screen.findByText('An attempt was started.')).toBeInTheDocument();
  expect(screen.getAllByRole('button', { name: 'Retry now' })).toHaveLength(1);
});

it('shows support no button for it', async () => {
  openDelivery({ 'GET /console/api/session': SUPPORT });

  await list();

  expect(await screen.findByRole('heading', { name: 'sentry.example/42' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Retry now' })).not.toBeInTheDocument();
});

it('shows the room of the spool as a picture and in words', async () => {
  openDelivery();

  const meter = await screen.findByRole('meter', { name: 'Disk used' });

  expect(meter).toHaveAttribute('aria-valuetext', '3.1 MiB of 512 MiB (0.6 %)');
  expect(screen.getByRole('row', { name: /Errors and feedback 60 2.9 MiB/ })).toBeInTheDocument();
  expect(
    screen.getByRole('row', { name: /rate-limited by the upstream transactions 240/ }),
  ).toBeInTheDocument();
});

it('lists every class, though the server names only those that have something', async () => {
  openDelivery({
    'GET /console/api/delivery': () => json({ ...DELIVERY, classes: DELIVERY.classes.slice(1, 2) }),
  });

  expect(await screen.findByRole('row', { name: /Errors and feedback 0 – –/ })).toBeInTheDocument();
  expect(screen.getByRole('row', { name: /Sessions and check-ins 7 245 KiB/ })).toBeInTheDocument();
  expect(screen.getByRole('row', { name: /Replays 0 – –/ })).toBeInTheDocument();
});

it('shows an empty spool', async () => {
  const { container } = openDelivery({
    'GET /console/api/delivery': () =>
      json({
        ...DELIVERY,
        accepted: 0,
        delivered: 0,
        queued: 0,
        deadLettered: 0,
        verdict: { level: 'moving', causes: [] },
        ledger: [],
        droppedItems: [],
        deadLetters: 0,
      }),
    'GET /console/api/dead-letters': () => json({ deadLetters: [], next: null }),
  });

  expect(await screen.findByRole('heading', { name: 'No envelopes yet' })).toBeInTheDocument();
  expect(await screen.findByText('No dead letters')).toBeInTheDocument();
  expect(screen.getByText('None')).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it('says which process it speaks for where there are several, and why its dead letters are not another’s', async () => {
  const user = userEvent.setup();
  openDelivery({
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
  openDelivery({ 'GET /console/api/delivery': () => new Promise(() => undefined) });

  expect(screen.getByRole('status', { name: 'Loading the figures' })).toBeInTheDocument();
});

it('shows in words what the server could not do', async () => {
  const { container } = openDelivery({
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
  const { requests } = openDelivery({
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
  openDelivery({
    'GET /console/api/dead-letters': () =>
      json({
        deadLetters: [deadLetter(7, { detail: hostile, reason: hostile, status: null, project: hostile })],
        next: null,
      }),
  });

  expect((await list()).getAllByText(hostile)).toHaveLength(3);
  expect(document.querySelector('img')).toBeNull();
});
