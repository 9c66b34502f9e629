import type { Fields } from '../../digest/fields.ts';
import { type TimelineEvent, timelineOf } from './timeline.ts';

const AT_MS = Date.UTC(2026, 10, 21, 12, 30);

function eventOf(kind: TimelineEvent['kind'], body: Fields = {}, occurredMs = AT_MS): TimelineEvent {
  return { eventId: kind === 'browser' ? 'b' : 's', kind, title: `${kind} failed`, occurredMs, body };
}

/** A breadcrumb so many ms before the event. */
function crumb(message: string, beforeMs: number): Fields {
  return { category: 'console', message, timestamp: (AT_MS - beforeMs) / 1000 };
}

function texts(...[one, other]: readonly [TimelineEvent, TimelineEvent | null]): readonly string[] {
  return timelineOf(one, other).map(({ text }) => text);
}

describe('timelineOf', () => {
  it('lists the breadcrumbs, the request and the exception of one event', () => {
    const body = {
      timestamp: AT_MS / 1000,
      request: { method: 'POST', url: 'https://shop.example/checkout?id=1' },
      breadcrumbs: [crumb('before', 1_500)],
    };

    expect(timelineOf(eventOf('server', body), null)).toEqual([
      {
        time: '2026-11-21T12:29:58.500Z',
        kind: 'server',
        category: 'console',
        text: 'before',
        level: 'info',
        eventId: null,
      },
      {
        time: '2026-11-21T12:30:00.000Z',
        kind: 'server',
        category: 'request',
        text: 'POST https://shop.example/checkout',
        level: 'info',
        eventId: 's',
      },
      {
        time: '2026-11-21T12:30:00.000Z',
        kind: 'server',
        category: 'exception',
        text: 'server failed',
        level: 'error',
        eventId: 's',
      },
    ]);
  });

  it('merges both events by their times, for either of them', () => {
    const browser = eventOf('browser', {
      breadcrumbs: { values: [crumb('click', 2_000), crumb('wait', 500)] },
    });
    const server = eventOf('server', { breadcrumbs: [crumb('query', 1_200)] }, AT_MS - 1_000);

    const joined = ['click', 'query', 'server failed', 'wait', 'browser failed'];

    expect(texts(browser, server)).toEqual(joined);
    expect(texts(server, browser)).toEqual(joined);
  });

  it('has all entries in the order of their times, also when the server’s clock is half a minute ahead', () => {
    const browser = eventOf('browser', { breadcrumbs: [crumb('click', 2_000)] });
    const server = eventOf('server', { breadcrumbs: [crumb('query', 200 - 30_000)] }, AT_MS + 30_000);

    const line = timelineOf(browser, server);

    expect(line.map(({ text }) => text)).toEqual(['click', 'browser failed', 'query', 'server failed']);
    expect(line.map(({ time }) => time)).toEqual(line.map(({ time }) => time).toSorted());
  });

  it('keeps the order of breadcrumbs whose times make none', () => {
    const wrong = [
      { message: 'no time' },
      { message: 'no number', timestamp: 'yesterday' },
      { message: 'after the event', timestamp: AT_MS / 1000 + 60 },
      { message: 'out of range', timestamp: 9e99 },
      { message: 'long ago', timestamp: 1 },
      crumb('right', 1_000),
      { message: 'no time either', timestamp: null },
    ];

    const line = timelineOf(eventOf('browser', { breadcrumbs: wrong }), null);

    expect(line.map(({ text }) => text)).toEqual([...wrong.map(({ message }) => message), 'browser failed']);
    expect(line.map(({ time }) => time)).toEqual(line.map(({ time }) => time).toSorted());
    expect(line[0]?.time).toBe('2026-11-21T12:29:59.000Z');
  });

  it('moves the breadcrumbs with the event whose clock was not believed', () => {
    const yearAgoMs = AT_MS - 365 * 86_400_000;
    const body = {
      timestamp: yearAgoMs / 1000,
      breadcrumbs: [{ message: 'click', timestamp: new Date(yearAgoMs - 2_000).toISOString() }],
    };

    expect(timelineOf(eventOf('browser', body), null)[0]?.time).toBe('2026-11-21T12:29:58.000Z');
  });

  it.each(['auto.errata.boundary', 'auto.errata.root', 'auto.function.react.error_boundary'])(
    'says that the error page was shown for what %s caught',
    (type) => {
      const exception = { values: [{ type: 'TypeError', mechanism: { type } }] };

      expect(timelineOf(eventOf('browser', { exception }), null).at(-1)).toMatchObject({
        category: 'page shown',
        text: 'the error page',
      });
    },
  );

  it('names the digest on the page that was shown, and shows none for an error in a handler', () => {
    const body = (type: string): Fields => ({
      exception: { values: [{ mechanism: { type } }] },
      tags: { 'errata.server_digest': '7KQ4-M2XD' },
    });

    expect(texts(eventOf('browser', body('auto.errata.boundary')), null).at(-1)).toContain('7KQ4-M2XD');
    expect(texts(eventOf('browser', body('auto.errata.onerror')), null).at(-1)).toBe('browser failed');
  });

  it('has 200 lines at most, the newest, and both exceptions', () => {
    const breadcrumbs = Array.from({ length: 1_000 }, (_, index) => crumb(`crumb ${index}`, 1_000 - index));

    const line = texts(eventOf('browser', { breadcrumbs }), eventOf('server', { breadcrumbs }));

    expect(line.length).toBeLessThanOrEqual(200);
    expect(line).toEqual(expect.arrayContaining(['crumb 999', 'browser failed', 'server failed']));
  });

  it.each([
    [{ category: 'fetch', data: { method: 'POST', url: '/api', status_code: 500 } }, 'POST /api → 500'],
    [{ category: 'xhr', data: { url: '/api', reason: 'aborted' } }, '/api → aborted'],
    [{ category: 'navigation', data: { from: '/cart', to: '/pay' } }, '/cart → /pay'],
    [{ category: 'ui.click', message: 'button#pay' }, 'button#pay'],
    [{ category: 'query', data: { rows: 3 } }, '{"rows":3}'],
    [{ category: 7, message: { hidden: 'x' }, data: [1] }, '[1]'],
    [{}, ''],
  ])('tells %j in one line', (breadcrumb, text) => {
    expect(texts(eventOf('browser', { breadcrumbs: [breadcrumb] }), null)[0]).toBe(text);
  });

  it.each([
    ['fatal', 'error'],
    ['warn', 'warning'],
    ['log', 'info'],
    ['debug', 'debug'],
    [undefined, 'info'],
    [{}, 'info'],
  ])('takes the level %j for %s', (level, shown) => {
    const [first] = timelineOf(eventOf('browser', { breadcrumbs: [{ message: 'x', level }] }), null);

    expect(first?.level).toBe(shown);
  });
});
