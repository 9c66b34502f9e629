import { DAY_MS, HOUR_MS } from '../../time/iso.ts';
import {
  browserEvent,
  type EventBody,
  eventEnvelope,
  eventIdOf,
  RECEIVED_MS,
  serverEvent,
} from './envelopes.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';

/** An event with all that a search reads. */
export interface SearchedEvent {
  readonly number: number;
  readonly issue: number;
  readonly release: string | null;
  readonly user: string | null;
  readonly path: string;
  readonly level: string | null;
  readonly timeMs: number;
  readonly environment: string | null;
  readonly server: string | null;
  /** Its major version. */
  readonly browser: 'Chrome 156' | 'Firefox 140' | null;
  readonly plan: string | null;
}

export const ISSUES = 9;
const EVENTS = 90;
const RELEASES = ['shop@1.4.2', 'shop@1.4.20', '1.4.2', 'web@2.0.0+7', null];
const USERS = ['ann@shop.example', 'Ben Ode', 'CID', null];
const PATHS = ['/checkout', '/checkout/pay', '/health', '/Über uns'];
const ENVIRONMENTS = ['production', 'Staging', null];
const SERVERS = ['web-1', 'WEB-10', null];
const PLANS = ['gold', 'Gold plus', 'Grün', null];
const LEVELS = ['fatal', 'warning', 'verbose', null];

/** Issues differ in how many values their events have: the last ones have all. */
export const SEARCHED: readonly SearchedEvent[] = Array.from({ length: EVENTS }, (_, number) => {
  const issue = number % ISSUES;
  const turn = (Math.floor(number / ISSUES) * (issue + 1) + issue) % (issue + 2);
  const pick = <T>(values: readonly T[], step: number, none: T): T =>
    values[(turn * step + issue) % values.length] ?? none;
  return {
    number: number + 1,
    issue,
    release: pick(RELEASES, 1, null),
    user: pick(USERS, 3, null),
    path: pick(PATHS, 1, '/'),
    level: pick(LEVELS, 1, null),
    environment: pick(ENVIRONMENTS, 1, null),
    server: pick(SERVERS, 2, null),
    browser: issue % 3 !== 0 ? null : turn % 2 === 0 ? 'Chrome 156' : 'Firefox 140',
    plan: pick(PLANS, 3, null),
    timeMs: RECEIVED_MS - ((number * 7) % 60) * HOUR_MS - (number % 50) * 60_000,
  };
});

const AGENTS = {
  'Chrome 156':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  'Firefox 140': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};

/** Events with a browser are a page's. */
function bodyOf({ number, issue, path, plan, browser, ...event }: SearchedEvent): EventBody {
  const headers = browser === null ? {} : { 'User-Agent': AGENTS[browser] };
  const changes = {
    release: event.release,
    level: event.level,
    environment: event.environment,
    server_name: event.server,
    timestamp: event.timeMs / 1000,
    user:
      event.user?.includes('@') === true
        ? { id: `id-${event.user}`, email: event.user }
        : { username: event.user },
    request: { url: `https://shop.example${encodeURI(path)}`, headers },
    tags: plan === null ? {} : { plan },
    fingerprint: [`fault-${issue}`],
    exception: {
      values: [
        {
          type: 'Error',
          value: `fault-${'abcdefghi'.charAt(issue)} of ${issue % 2 === 0 ? 'cart' : 'basket'}`,
        },
      ],
    },
  };
  return issue % 3 === 0 ? browserEvent(number, changes) : serverEvent(number, 'a/b', changes);
}

/** Stores the events in batches. Issue 1 is ignored, 2 resolved, and 3 has come back. */
export async function storeSearched(store: TestedStore): Promise<void> {
  const [before, after] = [SEARCHED.filter(({ number }) => number <= ISSUES * 9), SEARCHED.slice(ISSUES * 9)];
  await store.ingest(before.map((event) => eventEnvelope(bodyOf(event))));
  await setStatus(store, 1, 'ignored');
  await store.ingest(after.map((event) => eventEnvelope(bodyOf(event))));
  await setStatus(store, 2, 'resolved');
  await store.db
    .updateTable('issue')
    .set({ regressed_ms: RECEIVED_MS - DAY_MS })
    .where('title', 'like', 'Error: fault-d%')
    .execute();
}

async function setStatus(store: TestedStore, issue: number, status: 'ignored' | 'resolved'): Promise<void> {
  const { key = '', project = '' } = (await store.ask('issue', eventIdOf(issue + 1))) ?? {};
  await store.ask('setStatus', { issues: [{ key, project }], status });
}
