import type { HealthProblem, WebhookBody } from '../contract/webhook-api.ts';
import { HealthWatch } from './health-watch.ts';

const SECOND_MS = 1_000;
const BEGIN_MS = Date.UTC(2026, 10, 21, 12, 30);
const LINK = 'https://errata.example/console/delivery';

const FAILING: HealthProblem = {
  kind: 'failing',
  place: 'sentry.example/42',
  key: '0123abcd',
  reason: 'status_503',
  count: null,
};
const PAUSED: HealthProblem = { ...FAILING, kind: 'paused', reason: 'status_403' };
const STORE: HealthProblem = { ...FAILING, place: null, key: null };
const REJECTING: HealthProblem = { ...STORE, kind: 'rejecting', reason: 'disk_full' };

/** A target that accepts messages, or does not. */
class Target {
  isUp = true;
  readonly ids: string[] = [];
  readonly #accepted: WebhookBody[] = [];
  attempts = 0;

  async send({ deliveryId, body }: { readonly deliveryId: string; readonly body: WebhookBody }) {
    this.attempts += 1;
    this.ids.push(deliveryId);
    if (this.isUp) this.#accepted.push(body);
    return this.isUp
      ? { isAccepted: true as const, detail: null }
      : { isAccepted: false as const, reason: 'ECONNREFUSED', detail: null, retryAfterMs: null };
  }

  /** Type, kind and place of each message. */
  get accepted(): readonly string[] {
    return this.#accepted.map(({ type, data }) => `${type} ${'kind' in data ? data.kind : ''}`);
  }

  get last(): WebhookBody | undefined {
    return this.#accepted.at(-1);
  }
}

/** A watch over a process whose problems a test sets. */
class Watched {
  problems: readonly HealthProblem[] = [];
  readonly targets = [new Target(), new Target()] as const;
  #nowMs = BEGIN_MS;
  readonly #watch = new HealthWatch(this.targets, {
    problems: () => Promise.resolve(this.problems),
    host: 'errata-0',
    link: LINK,
    onError: () => undefined,
    now: () => this.#nowMs,
  });

  /** Looks at the process at a time since the begin, min:s. */
  async lookAt(time: string): Promise<void> {
    const [minutes = 0, seconds = 0] = time.split(':').map(Number);
    this.#nowMs = BEGIN_MS + (minutes * 60 + seconds) * SECOND_MS;
    await this.#watch.run();
  }
}

describe('the watch over a process', () => {
  let watched: Watched;
  beforeEach(() => {
    watched = new Watched();
  });
  const accepted = () => watched.targets.map((target) => target.accepted);
  const twice = <T>(value: T): readonly T[] => [value, value];

  it('reports a problem that lasts five minutes, once to each target', async () => {
    watched.problems = [FAILING];
    await watched.lookAt('0:00');
    await watched.lookAt('4:59');
    const before = accepted();
    for (const time of ['5:00', '5:30', '6:00']) await watched.lookAt(time);

    expect(before).toEqual(twice([]));
    expect(accepted()).toEqual(twice(['health.problem failing']));
    const timestamp = '2026-11-21T12:30:00.000Z';
    const data = { ...FAILING, host: 'errata-0', since: timestamp, link: LINK };
    expect(watched.targets[0].last).toEqual({ type: 'health.problem', timestamp, data });
  });

  it('reports that errors are rejected after one minute', async () => {
    watched.problems = [REJECTING];
    await watched.lookAt('0:00');
    await watched.lookAt('0:59');
    const before = accepted();
    await watched.lookAt('1:00');

    expect([before, accepted()]).toEqual([twice([]), twice(['health.problem rejecting'])]);
  });

  it('reports the end of a problem, once, and another begin', async () => {
    watched.problems = [FAILING];
    for (const time of ['0:00', '5:00']) await watched.lookAt(time);
    watched.problems = [];
    for (const time of ['14:00', '14:30', '15:00']) await watched.lookAt(time);
    const end = [watched.targets[0].last, accepted()];
    watched.problems = [FAILING];
    for (const time of ['16:00', '20:59', '21:00']) await watched.lookAt(time);

    const both = ['health.problem failing', 'health.recovered failing'];
    expect(end).toEqual([
      expect.objectContaining({ type: 'health.recovered', timestamp: '2026-11-21T12:44:00.000Z' }),
      twice(both),
    ]);
    expect(accepted()).toEqual(twice([...both, 'health.problem failing']));
    expect(new Set(watched.targets[0].ids).size).toBe(3);
  });

  it('reports no problem that ends earlier, however often', async () => {
    for (const minute of [0, 5, 10]) {
      watched.problems = [FAILING];
      for (const time of [`${minute}:00`, `${minute}:59`]) await watched.lookAt(time);
      watched.problems = [];
      await watched.lookAt(`${minute + 1}:00`);
    }

    expect(accepted()).toEqual(twice([]));
  });

  it('takes a destination that fails and is then paused for one problem, and each destination for its own', async () => {
    watched.problems = [FAILING, STORE];
    for (const time of ['0:00', '5:00']) await watched.lookAt(time);
    watched.problems = [PAUSED];
    for (const time of ['5:30', '11:00']) await watched.lookAt(time);

    const [target] = watched.targets;
    expect(target.accepted).toEqual([...twice('health.problem failing'), 'health.recovered failing']);
    expect(target.last).toMatchObject({ data: { place: null } });
  });

  it('reports to a target that was down when it is back, once, and to the others meanwhile', async () => {
    const [up, down] = watched.targets;
    down.isUp = false;
    watched.problems = [FAILING, STORE];
    for (const time of ['0:00', '5:00', '5:30']) await watched.lookAt(time);
    const meanwhile = [accepted(), down.attempts];
    down.isUp = true;
    for (const time of ['6:00', '6:30']) await watched.lookAt(time);

    expect(meanwhile).toEqual([[twice('health.problem failing'), []], 2]);
    expect([up.accepted, down.accepted]).toEqual(twice(twice('health.problem failing')));
    expect(new Set(down.ids).size).toBe(2);
  });

  it('reports only the end to a target that was down all the time', async () => {
    const [, down] = watched.targets;
    down.isUp = false;
    watched.problems = [FAILING];
    for (const time of ['0:00', '5:00']) await watched.lookAt(time);
    watched.problems = [];
    await watched.lookAt('14:00');
    down.isUp = true;
    for (const time of ['20:00', '20:30']) await watched.lookAt(time);

    expect(down.accepted).toEqual(['health.recovered failing']);
    expect(down.last).toMatchObject({ timestamp: '2026-11-21T12:44:00.000Z' });
  });

  it('reports nothing to a target that was down while a problem paused', async () => {
    const [, down] = watched.targets;
    watched.problems = [FAILING];
    for (const time of ['0:00', '5:00']) await watched.lookAt(time);
    down.isUp = false;
    watched.problems = [];
    await watched.lookAt('6:00');
    watched.problems = [FAILING];
    for (const time of ['6:30', '11:30']) await watched.lookAt(time);
    down.isUp = true;
    await watched.lookAt('12:00');

    expect(down.accepted).toEqual(['health.problem failing']);
  });
});
