/** @jest-environment jest-fixed-jsdom */
import {
  captureException,
  createTransport,
  getClient,
  getGlobalScope,
  init,
  lastEventId,
  setTag,
  setUser,
  type Event,
  type makeFetchTransport,
} from '@sentry/react';
import { startLateClient } from './late-client.ts';
import { Reporter, type Report } from './reporter.ts';
import { UNREADABLE_VALUES } from './thrown-value.fixture.ts';

const SETTINGS = {
  dsn: 'https://key@errata.example/1',
  basePath: '',
  tunnel: '/tunnel',
  release: '1.4.2',
  environment: 'staging',
  demo: false,
};

/** Transport of the SDK that collects the envelopes. */
function collecting(bodies: string[]) {
  return (options: Parameters<typeof makeFetchTransport>[0]) =>
    createTransport(options, async ({ body }) => {
      bodies.push(typeof body === 'string' ? body : new TextDecoder().decode(body));
      return { statusCode: 200 };
    });
}

/** Sends through the real SDK and returns the event. */
async function sentFor(report: Partial<Report>): Promise<Event> {
  const bodies: string[] = [];
  const { send, sentOrQueued } = startLateClient(SETTINGS, collecting(bodies));
  send({
    eventId: '0123456789abcdef0123456789abcdef',
    error: new Error('failed'),
    context: { source: 'boundary' },
    at: 1_700_000_000_000,
    serverDigest: null,
    serverReference: null,
    ...report,
  });
  await sentOrQueued();
  const event: Event = JSON.parse(bodies[0]?.split('\n')[2] ?? '');
  return event;
}

it('keeps the event id and the time the page has named already', async () => {
  const event = await sentFor({});

  expect(event).toMatchObject({
    event_id: '0123456789abcdef0123456789abcdef',
    timestamp: 1_700_000_000,
    release: '1.4.2',
    environment: 'staging',
  });
});

it('ties the event to the failure of the server behind it', async () => {
  const event = await sentFor({ serverDigest: '7KQ4-M2XD', serverReference: 'ABCD-1234' });

  expect(event.tags).toEqual({
    'errata.server_digest': '7KQ4-M2XD',
    'errata.server_reference': 'ABCD-1234',
  });
});

it('leaves query and fragment of the page out: they can hold a sign-in code', async () => {
  window.history.replaceState(null, '', '/console/sign-in?who=ann#secret');

  const event = await sentFor({});

  expect(event.request?.url).toBe('http://localhost/console/sign-in');
  expect(JSON.stringify(event)).not.toMatch(/secret|ann/);
});

it('keeps the path of components beside the chain of errors, not in it', async () => {
  const event = await sentFor({ context: { source: 'boundary', componentStack: '\n    at Cart' } });

  expect(event.contexts?.['react']).toEqual({ componentStack: '\n    at Cart' });
  expect(event.exception?.values).toHaveLength(1);
});

it('gives a thrown string no stack of ours', async () => {
  const event = await sentFor({ error: 'just a string' });

  expect(event.exception?.values?.[0]).not.toHaveProperty('stacktrace');
});

it.each(UNREADABLE_VALUES)(
  'sends an event also of what throws when it is read: %s',
  async (_name, thrown) => {
    const event = await sentFor({ error: thrown().value });

    expect(event).toMatchObject({ event_id: '0123456789abcdef0123456789abcdef', level: 'error' });
    expect(event.exception?.values?.length ?? event.message?.length).toBeGreaterThan(0);
  },
);

it('names status and text of a thrown response, and no keys', async () => {
  const reports: Report[] = [];
  const reporter = new Reporter();
  reporter.connect((report) => reports.push(report));
  const thrown = { status: 503, statusText: 'Service Unavailable', internal: false, data: 'no stock' };
  reporter.capture(thrown, { source: 'boundary' });

  const event = await sentFor(reports[0] ?? {});

  expect(event.exception?.values).toEqual([
    {
      type: 'ErrorResponse',
      value: '503 Service Unavailable: no stock',
      mechanism: { type: 'auto.errata.boundary', handled: true },
    },
  ]);
});

it('sends the chain of causes', async () => {
  const event = await sentFor({ error: new Error('outer', { cause: new TypeError('inner') }) });

  expect(event.exception?.values?.map(({ type }) => type)).toEqual(['TypeError', 'Error']);
});

it('tells of an error that an earlier page left where it happened, not where it is sent', async () => {
  const event = await sentFor({ earlierPage: { release: '1.3.0', url: 'http://localhost/orders' } });

  expect(event).toMatchObject({ release: '1.3.0', request: { url: 'http://localhost/orders' } });
  expect(event.breadcrumbs ?? []).toEqual([]);
});

describe('in an application with a client of its own', () => {
  const bodies: string[] = [];
  const application = init({
    dsn: 'https://own@own.example/77',
    transport: collecting(bodies),
    integrations: [],
    sendClientReports: false,
  });

  it('leaves that client, its user and its tags alone', async () => {
    setUser({ id: 'customer-7' });
    setTag('team', 'checkout');
    getGlobalScope().setUser({ id: 'customer-8' }).setTag('shop', 'tea').setContext('cart', { items: 3 });

    const event = await sentFor({ serverDigest: '7KQ4-M2XD' });

    expect(getClient()).toBe(application);
    expect(lastEventId()).toBeUndefined();
    expect(event.tags).toEqual({ 'errata.server_digest': '7KQ4-M2XD' });
    expect(event).not.toHaveProperty('user');
    expect(event.contexts).not.toHaveProperty('cart');
  });

  it('reports an error that the other client reports, too, whichever is the first', async () => {
    const [first, second] = [new RangeError('reported there first'), new RangeError('reported here first')];

    captureException(first);
    const events = [await sentFor({ error: first }), await sentFor({ error: second })];
    captureException(second);
    await application?.flush();

    expect(events.map(({ exception }) => exception?.values?.[0]?.value)).toEqual([
      first.message,
      second.message,
    ]);
    expect(bodies).toEqual([expect.stringContaining(first.message), expect.stringContaining(second.message)]);
  });
});
