import fc from 'fast-check';
import { projectName } from '../../contract/project-name.ts';
import type { IssueDelivery } from '../../contract/webhook-api.ts';
import type { StoredAnswer } from '../queries/issue-answer.ts';
import { alertOptions, TARGET } from './alert-options.fixture.ts';
import { eventEnvelope, eventIdOf, PROJECT, serverEvent } from './envelopes.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

const MINUTE_MS = 60_000;
const TWO_DAYS_MS = 2 * 24 * 60 * MINUTE_MS;
/** A project that gets the confirmed events only. */
const CONTROL = 'https://fedcba9876543210fedcba9876543210@errors.example/2';
const PROJECTS = [PROJECT, CONTROL];
/** Names that say no order. */
const COMMITS = ['shop@fe01c2a', 'shop@0be7d5c', 'shop@c4d3a1e', null];
const SEARCHES = [
  'forged',
  'genuine',
  'user:forged-1',
  'user:genuine-1',
  ...COMMITS.map((name) => `release:${name}`),
];

interface SentEvents {
  readonly isConfirmed: boolean;
  /** Whether they are of a fault that only orders releases. */
  readonly isOtherFault: boolean;
  readonly release: string | null;
  readonly user: number;
  readonly minutesAgo: number;
  readonly copies: number;
}

/** A batch of events, or a resolution by an operator. */
type Step = { readonly batch: readonly SentEvents[] } | { readonly resolvedIn: string | null };

const FIRST = {
  isConfirmed: true,
  isOtherFault: false,
  release: COMMITS[0] ?? null,
  user: 0,
  minutesAgo: 0,
  copies: 1,
};

const commit = fc.constantFrom(...COMMITS);
const sentEvents = fc.record<SentEvents>({
  isConfirmed: fc.boolean(),
  isOtherFault: fc.nat(3).map((one) => one === 0),
  release: commit,
  user: fc.nat(2),
  minutesAgo: fc.nat(3),
  copies: fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 40),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ batch: fc.array(sentEvents, { minLength: 1, maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ resolvedIn: commit }) },
);

/** One sequence of steps, in both projects. */
class Sequence {
  readonly #stores: StoresUnderTest;
  readonly #store: TestedStore;
  readonly #first: number;
  readonly #alerts: string[] = [];
  /** Number of the next event. */
  number: number;

  constructor(stores: StoresUnderTest, store: TestedStore, first: number) {
    this.#stores = stores;
    this.#store = store;
    this.#first = first;
    this.number = first;
  }

  async run(one: Step): Promise<void> {
    this.#stores.nowMs += MINUTE_MS;
    if (!('batch' in one)) {
      const issues = await Promise.all(PROJECTS.map((project) => this.#issueIn(project)));
      await this.#store.ask('setStatus', { issues, status: 'resolved', resolvedIn: one.resolvedIn });
      return;
    }
    const settled = await this.#store.ingest(one.batch.flatMap((sent) => this.#envelopesOf(sent)));
    if (settled.some(({ outcome }) => outcome !== 'delivered')) throw new Error('a batch was not stored');
    const { alerts } = await this.#store.ask('claimAlerts', TARGET.id);
    for (const { id, body } of alerts) {
      await this.#store.ask('settleAlert', id, null);
      const { type, data } = body as IssueDelivery;
      this.#alerts.push(`${this.#stores.nowMs} ${type} ${data.title} ${data.key} ${data.project}`);
    }
  }

  /** Returns all that an operator sees of the issue in a project. */
  async stateIn(project: string) {
    const { key, latest, ...head } = await this.#issueIn(project);
    const list = await this.#store.ask('issueEvents', key, 50, null, { project });
    const events = (list?.events ?? []).map(({ eventId }) => this.#store.ask('event', eventId, project));
    const pages = SEARCHES.map((q) => this.#store.ask('issues', 50, null, { q, project }));
    const found = await Promise.all(pages);
    const end = `${key} ${projectName(project)}`;
    return {
      ...head,
      project: null,
      isShared: null,
      alsoIn: null,
      latest: latest?.eventId,
      list: (await Promise.all(events)).map((event) => [event?.eventId, event?.brief, event?.provenance]),
      foundBy: SEARCHES.filter((_q, index) => found[index]?.issues.some((issue) => issue.key === key)),
      alerts: this.#alerts.filter((line) => line.endsWith(end)).map((line) => line.slice(0, -end.length)),
    };
  }

  async #issueIn(project: string): Promise<StoredAnswer> {
    const issue = await this.#store.ask('issue', eventIdOf(this.#first), project);
    if (issue === undefined) throw new Error(`no issue in ${project}`);
    return issue;
  }

  #envelopesOf({ isConfirmed, isOtherFault, release, user, minutesAgo, copies }: SentEvents) {
    const word = isConfirmed ? 'genuine' : 'forged';
    const receivedAtMs = this.#stores.nowMs;
    const file = `${isOtherFault ? 'other' : 'main'}/${wordOf(this.#first)}`;
    return Array.from({ length: copies }, () => this.number++).flatMap((number) => {
      const body = serverEvent(number, file, {
        timestamp: (receivedAtMs - minutesAgo * MINUTE_MS) / 1000,
        release,
        user: { id: `${word}-${user}` },
        // The same digest for any text.
        fingerprint: [file],
        exception: { values: [{ type: 'TypeError', value: `${word} order ${number}` }] },
      });
      return (isConfirmed ? PROJECTS : [PROJECT]).map((project) =>
        eventEnvelope(body, { source: isConfirmed ? 'server' : 'tunnel', receivedAtMs, project }),
      );
    });
  }
}

/** A name without digits, so that each makes a fault. */
function wordOf(number: number): string {
  return [...String(number)].map((digit) => String.fromCharCode(97 + Number(digit))).join('');
}

/** Events of the public key change nothing of a confirmed issue. */
export function describeConfirmedIssuesProperty(stores: StoresUnderTest): void {
  it('a confirmed issue is what it is without the events of the public key', async () => {
    const store = await stores.open(undefined, alertOptions(stores));
    let number = 1;

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        stores.nowMs += TWO_DAYS_MS;
        const sequence = new Sequence(stores, store, number);
        for (const one of [{ batch: [FIRST] }, ...steps]) await sequence.run(one);
        number = sequence.number;

        expect(await sequence.stateIn(PROJECT)).toEqual(await sequence.stateIn(CONTROL));
      }),
      { numRuns: 25 },
    );
  });
}
