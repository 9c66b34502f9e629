import type { LiveEvent } from '@errata/backend/contract/live-api.ts';
import { liveEvent } from './live-event.fixture.ts';
import { serveStreams, type FakeEventSource } from './fake-event-source.fixture.ts';
import { LiveStream, type Schedule } from './live-stream.ts';

/** A stopped clock: collects scheduled calls with their delays. */
class FakeClock {
  #due: { readonly call: () => void; readonly ms: number }[] = [];

  readonly schedule: Schedule = (call, ms) => {
    const entry = { call, ms };
    this.#due.push(entry);
    return () => {
      this.#due = this.#due.filter((other) => other !== entry);
    };
  };

  get pauses(): readonly number[] {
    return this.#due.map(({ ms }) => ms);
  }

  goOn(): void {
    const due = this.#due;
    this.#due = [];
    due.forEach(({ call }) => call());
  }
}

/** A stream, its calls so far, and the connections to the server. */
function follow(after: string | null = null) {
  const streams = serveStreams();
  const clock = new FakeClock();
  const told: string[] = [];
  const listener = {
    onEvent: ({ title }: LiveEvent) => told.push(title),
    onGap: (events: number | null) => told.push(`gap of ${events}`),
    onState: (state: string) => told.push(state),
  };
  const stream = new LiveStream(listener, after, clock.schedule);
  return { stream, clock, told, asked: streams.asked };
}

function newest(asked: readonly FakeEventSource[]): FakeEventSource {
  const source = asked.at(-1);
  if (source === undefined) throw new Error('no stream was requested');
  return source;
}

it('tells what comes in, and what was passed over', () => {
  const { told, asked } = follow();

  newest(asked).open();
  newest(asked).send(liveEvent(1));
  newest(asked).pass({ events: 340 });

  expect(asked.map(({ url }) => url)).toEqual(['/console/api/live']);
  expect(told).toEqual(['open', 'TypeError: cart 1 is undefined', 'gap of 340']);
});

it('leaves a broken connection to the browser, which takes the stream up where it was', () => {
  const { told, asked } = follow();

  newest(asked).open();
  newest(asked).break();
  newest(asked).open();

  expect(asked).toHaveLength(1);
  expect(told).toEqual(['open', 'reconnecting', 'open']);
});

it('asks again after a refusal, with growing pauses, and says that something may lie between', () => {
  const { clock, told, asked } = follow();
  newest(asked).open();

  newest(asked).refuse();
  expect(clock.pauses).toEqual([2_000]);
  clock.goOn();
  newest(asked).refuse();
  expect(clock.pauses).toEqual([4_000]);
  clock.goOn();
  newest(asked).open();

  expect(told).toEqual(['open', 'refused', 'reconnecting', 'refused', 'reconnecting', 'gap of null', 'open']);
});

it('takes up after a refusal where it was, and says of no gap: the server does', () => {
  const { stream, clock, told, asked } = follow('17');
  newest(asked).open();
  newest(asked).send(liveEvent(1), '18');

  newest(asked).refuse();
  clock.goOn();
  newest(asked).open();

  expect(asked.map(({ url }) => url)).toEqual(['/console/api/live?after=17', '/console/api/live?after=18']);
  expect(stream.cursor).toBe('18');
  expect(told).toEqual(['open', 'TypeError: cart 1 is undefined', 'refused', 'reconnecting', 'open']);
});

it('waits half a minute at most', () => {
  const { clock, asked } = follow();
  for (let refusals = 0; refusals < 8; refusals += 1) {
    newest(asked).refuse();
    clock.goOn();
  }

  newest(asked).refuse();

  expect(clock.pauses).toEqual([30_000]);
});

it('begins with short pauses again once it was open', () => {
  const { clock, asked } = follow();
  newest(asked).refuse();
  clock.goOn();
  newest(asked).open();

  newest(asked).refuse();

  expect(clock.pauses).toEqual([2_000]);
});

it('knows of no gap when nothing was open before', () => {
  const { clock, told, asked } = follow();

  newest(asked).refuse();
  clock.goOn();
  newest(asked).open();

  expect(told).toEqual(['refused', 'reconnecting', 'open']);
});

it('does not reconnect after it is stopped', () => {
  const { stream, clock, asked } = follow();

  newest(asked).refuse();
  stream.stop();

  expect(clock.pauses).toEqual([]);
  expect(newest(asked).readyState).toBe(2);
});
