import type {
  EventDetail,
  EventSummary,
  IssueKind,
  TimelineEntry,
} from '@errata/backend/contract/event-api.ts';
import type { IssueAnswer, IssueSummary } from '@errata/backend/contract/issues-api.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { useEffect } from 'react';
import { MemoryRouter, Route, Routes, useLocation, useNavigate, type NavigateFunction } from 'react-router';
import { json, serve, type Answers, type FakeServer } from '../api/fake-server.fixture.ts';
import { createQueryClient } from '../api/query-client.ts';
import { AccountPage } from './account/account-page.tsx';
import { AnswerPage } from './answer/answer-page.tsx';
import { DeliveryPage } from './delivery/delivery-page.tsx';
import { FindPage } from './find/find-page.tsx';
import { LivePage } from './live/live-page.tsx';
import { IssuesPage } from './issues/issues-page.tsx';
import { SetupPage } from './setup/setup-page.tsx';
import { ConsoleFrame } from './shell/console-frame.tsx';
import { SignInPage } from './sign-in/sign-in-page.tsx';

export const ISSUE: IssueSummary = {
  project: '1',
  digest: '7KQ4-M2XD',
  address: '7KQ4-M2XD',
  isShared: false,
  key: '3e'.repeat(32),
  kind: 'server',
  isConfirmed: true,
  title: 'TypeError: cart is undefined',
  events: 38,
  users: 12,
  firstSeen: '2026-11-21T02:41:00Z',
  lastSeen: '2026-11-21T03:05:00Z',
  release: '1.4.2',
  status: 'open',
  resolvedIn: null,
  regressed: null,
  hours: Array.from({ length: 24 }, (_, index) => (index < 22 ? 0 : index - 10)),
};

export const LINKED_ISSUE: IssueSummary = {
  ...ISSUE,
  digest: '9XWE-H3V7',
  address: '9XWE-H3V7',
  key: '4f'.repeat(32),
  kind: 'browser',
  title: 'ApiError: POST /api/checkout answered status 500',
};

/** One event of a list with two on each page. */
export function occurrence(number: number): EventSummary {
  return {
    eventId: String(number).padStart(32, '0'),
    reference: `0000-000${number}`,
    time: `2026-11-21T03:0${9 - number}:00Z`,
    path: `/checkout/${number}`,
    browser: 'Firefox 149 on macOS',
    release: '1.4.2',
    environment: 'production',
    user: null,
    server: 'web-7d9-x2',
  };
}

export function entry(second: number, kind: IssueKind, category: string, text: string): TimelineEntry {
  return { time: `2026-11-21T03:08:0${second}Z`, kind, category, text, level: 'info', eventId: null };
}

export const EVENT: EventDetail = {
  ...occurrence(1),
  project: '1',
  digest: ISSUE.digest,
  address: ISSUE.address,
  isShared: ISSUE.isShared,
  title: ISSUE.title,
  unmapped: null,
  tags: { route: '/checkout' },
  user: 'ann@example.org',
  provenance: { origin: 'own', isConfirmed: true },
  received: '2026-11-21T03:08:01Z',
  request: {
    method: 'POST',
    url: 'https://shop.example/checkout/1',
    query: 'coupon=AUTUMN',
    headers: [['Content-Type', 'application/json']],
    body: '{"order":4711}',
  },
  contexts: [{ name: 'runtime', values: [['name', 'node']] }],
  userFacts: [
    ['email', 'ann@example.org'],
    ['id', '8812'],
  ],
  timeline: [
    entry(0, 'browser', 'ui.click', 'button#pay'),
    entry(1, 'server', 'request', 'POST /checkout/1'),
    { ...entry(2, 'server', 'exception', 'TypeError: cart is undefined'), eventId: occurrence(1).eventId },
    { ...entry(3, 'browser', 'exception', 'ApiError: status 500'), level: 'error', eventId: 'b'.repeat(32) },
  ],
  linkedEvent: {
    eventId: 'b'.repeat(32),
    project: '1',
    digest: '9XWE-H3V7',
    address: '9XWE-H3V7',
    isShared: false,
    title: 'ApiError: status 500',
    provenance: { origin: 'browser', isConfirmed: false },
    joinedBy: 'reference',
  },
  nearbyEvent: null,
  delivery: {
    state: 'delivered',
    time: '2026-11-21T03:08:02Z',
    tries: 2,
    reason: null,
    status: null,
    upstream: 'sentry.example',
    deadLetterId: null,
  },
  exceptions: [
    {
      type: 'TypeError',
      value: 'cart is undefined',
      frames: [
        {
          file: 'cart/total.ts',
          function: 'totalOf',
          line: 42,
          column: 17,
          own: true,
          mapped: true,
          source: [
            { number: 41, text: '  const items = order.cart;' },
            { number: 42, text: '  return items.length;' },
          ],
        },
        {
          file: 'node_modules/express/lib/router/layer.js',
          function: 'Layer.handle',
          line: 95,
          column: 5,
          own: false,
          mapped: false,
          source: [],
        },
      ],
    },
    { type: 'DatabaseError', value: 'no such row', frames: [] },
  ],
};

export const ANSWER: IssueAnswer = {
  ...ISSUE,
  firstRelease: '1.4.0',
  hours: [
    { hour: '2026-11-21T02:00:00Z', count: 12 },
    { hour: '2026-11-21T03:00:00Z', count: 26 },
  ],
  related: [LINKED_ISSUE],
  latest: EVENT,
  feedback: [],
  days: [{ hour: '2026-11-21T00:00:00Z', count: 38 }],
  releases: ['1.4.2', '1.4.0'],
  notes: [{ id: 1, time: '2026-11-21T03:10:00Z', author: 'ben', text: 'The fix is in review.' }],
  pageLine: { text: '', isShown: true },
  alsoIn: [],
};

export const SIGNED_IN = () => json({ open: true, signedIn: true, who: 'ann', role: 'operator' });
export const SIGNED_OUT = () => json({ open: true, signedIn: false });
/** Sessions of an operator and of support. */
export const OPERATOR = () =>
  json({ open: true, signedIn: true, ways: ['token'], who: 'ann@example.org', role: 'operator' });
export const SUPPORT = () =>
  json({ open: true, signedIn: true, ways: ['token'], who: 'sam@example.org', role: 'support' });

/** The request of the default list. */
export const OPEN_ISSUES = 'GET /console/api/issues?status=open&sort=last';

export const EXAMPLES = 'GET /console/api/find/examples';

/** Answers of a server without errors. */
export const ALL_WELL: Answers = {
  'GET /console/api/session': SIGNED_IN,
  'GET /console/api/alerts': () => json({ targets: [], hasLinks: true }),
  [EXAMPLES]: () =>
    json({
      examples: [
        { as: 'trace_id', value: '4b'.repeat(16) },
        { as: 'user', value: 'Ann Lee' },
        { as: 'url', value: '/checkout' },
        { as: 'release', value: 'shop@1.4.2' },
        { as: 'server', value: 'web-1' },
      ],
    }),
  [OPEN_ISSUES]: () => json({ issues: [ISSUE, LINKED_ISSUE], next: null }),
  'GET /console/api/issues/7KQ4-M2XD': () => json(ANSWER),
  'GET /console/api/issues/7KQ4-M2XD/events': () =>
    json({ events: [occurrence(1), occurrence(2)], next: 'two' }),
  'GET /console/api/issues/7KQ4-M2XD/facets': () =>
    json({ of: 3, searched: { events: 3, since: null, isAll: true }, facets: [], changed: [] }),
  'GET /console/api/issues/7KQ4-M2XD/events?cursor=two': () => json({ events: [occurrence(3)], next: null }),
};

/** Shows the address to a test; `onNavigate` gets the navigate function, for the back button. */
function Address({ onNavigate }: { readonly onNavigate: (navigate: NavigateFunction) => void }) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => onNavigate(navigate), [navigate, onNavigate]);
  return <span data-testid="address">{`${pathname}${search}`}</span>;
}

/** Opens the console at an address, with a server that answers from a table. */
export function openConsole(
  path: string,
  answers: Answers,
): FakeServer & { readonly container: HTMLElement; readonly back: () => void } {
  const server = serve(answers);
  let navigate: NavigateFunction = () => undefined;
  const onNavigate = (current: NavigateFunction) => {
    navigate = current;
  };
  const { container } = render(
    <QueryClientProvider client={createQueryClient(() => undefined, 0)}>
      <MemoryRouter initialEntries={[path]}>
        <Routes>
          <Route element={<ConsoleFrame />}>
            <Route path="/console" element={<FindPage hasDemo />} />
            <Route path="/console/e/:digest" element={<AnswerPage />} />
            <Route path="/console/live" element={<LivePage hasDemo />} />
            <Route path="/console/delivery" element={<DeliveryPage />} />
            <Route path="/console/setup" element={<SetupPage />} />
            <Route path="/console/account" element={<AccountPage />} />
            <Route path="/console/issues" element={<IssuesPage />} />
            <Route path="/console/sign-in" element={<SignInPage />} />
          </Route>
        </Routes>
        <Address onNavigate={onNavigate} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return { requests: server.requests, container, back: () => void navigate(-1) };
}
