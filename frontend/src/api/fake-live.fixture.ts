import type { LiveEvent, LiveEvents } from '@errata/backend/contract/live-api.ts';
import { json, type Answers } from './fake-server.fixture.ts';
import { POLL_MS } from './live.ts';
import { passInterval } from './query-intervals.fixture.ts';

const PATH = 'GET /console/api/live';
/** More events than a test sends. */
const MAX_EVENTS = 20;

/** A server's live view; its cursor is the number of events. */
export class FakeLive {
  readonly #events: LiveEvent[] = [];
  /** Events that the next answer leaves out. */
  #passed = 0;
  /** Answers in place of the events, if it is set. */
  failure: (() => Response | Promise<Response>) | null = null;
  /** Whether the page has polled with a cursor: it gets every event from now on. */
  isFollowed = false;

  get answers(): Answers {
    const after = Array.from({ length: MAX_EVENTS }, (_, cursor) => [
      `${PATH}?after=${cursor}`,
      () => {
        this.isFollowed = true;
        return this.#answer(cursor);
      },
    ]);
    return { [PATH]: () => this.#answer(this.#events.length), ...Object.fromEntries(after) };
  }

  /** Stores events, and lets the page poll. */
  send(...events: readonly LiveEvent[]): void {
    this.#events.push(...events);
    passInterval(POLL_MS);
  }

  /** Stores an event after others that an answer leaves out. */
  pass(count: number, event: LiveEvent): void {
    this.#passed = count;
    this.send(event);
  }

  /** Fails from the next poll on. */
  fail(failure: () => Response | Promise<Response>): void {
    this.failure = failure;
    passInterval(POLL_MS);
  }

  #answer(cursor: number): Response | Promise<Response> {
    if (this.failure !== null) return this.failure();
    const answer: LiveEvents = {
      events: this.#events.slice(cursor),
      passed: this.#passed,
      next: String(this.#events.length),
    };
    this.#passed = 0;
    return json(answer);
  }
}
