import { expect } from '@playwright/test';
import { test } from './fixtures/test.ts';
import type { FindAnswer } from '@errata/backend/contract/find-api.ts';
import type { FeedbackList, IssueAnswer, IssueList, Note } from '@errata/backend/contract/issues-api.ts';
import { errorEnvelope, newEventId } from './fixtures/envelopes.ts';
import { ErrataProcess, TOKEN } from './fixtures/errata-process.ts';
import { FakeUpstream } from './fixtures/fake-upstream.ts';

const AUTHORIZATION = { authorization: `Bearer ${TOKEN}` };
const STAGING = 'https://fedcba9876543210fedcba9876543210@staging.example/7';

/** Calls the console's API as a program does. */
class Api {
  readonly #errata: ErrataProcess;

  constructor(errata: ErrataProcess) {
    this.#errata = errata;
  }

  get(path: string): Promise<Response> {
    return fetch(`${this.#errata.url}/console/api/${path}`, { headers: AUTHORIZATION });
  }

  post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(`${this.#errata.url}/console/api/${path}`, {
      method: 'POST',
      headers: { ...AUTHORIZATION, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  async read<T>(path: string): Promise<T> {
    return (await (await this.get(path)).json()) as T;
  }
}

test.describe('issues', () => {
  const upstream = new FakeUpstream();
  let errata: ErrataProcess;
  let api: Api;

  test.beforeAll(async () => {
    await upstream.up();
    errata = await new ErrataProcess({
      environment: { SENTRY_DSN: upstream.dsn, ERRATA_TUNNEL_DSNS: STAGING },
    }).start();
    api = new Api(errata);
  });
  test.afterAll(async () => {
    expect(await errata.stop()).toBe(0);
    await upstream.down();
  });

  test('an issue is found by its words, resolved, and reopens when it happens again', async () => {
    const fail = () =>
      fetch(`${errata.url}/tunnel`, {
        method: 'POST',
        body: errorEnvelope(upstream.dsn, newEventId(), 'the shelf is empty'),
      });
    const theIssue = () => api.read<FindAnswer>('find?q=shelf%20empty').then(({ issues }) => issues[0]);
    await fail();
    await expect(async () => expect(await theIssue()).toMatchObject({ status: 'open', events: 1 })).toPass();
    const { key = '', project = '', digest = '' } = (await theIssue()) ?? {};

    const changed = await api.post('issues/status', { issues: [{ key, project }], status: 'resolved' });
    const note = await api.post(`issues/${digest}/notes`, { text: ' Filled the shelf. ' });
    const open = await api.read<IssueList>('issues?status=open&q=shelf');
    await fail();

    expect([changed.status, await changed.json()]).toEqual([200, { changed: 1 }]);
    expect([note.status, ((await note.json()) as Note).text]).toEqual([200, 'Filled the shelf.']);
    expect(open).toMatchObject({ issues: [], hidden: [{ filter: 'status', issues: 1 }] });
    await expect(async () => {
      const answer = await api.read<IssueAnswer>(`issues/${digest}`);
      expect(answer).toMatchObject({ status: 'open', events: 2, notes: [{ text: 'Filled the shelf.' }] });
      expect(answer.regressed).not.toBeNull();
    }).toPass();
  });

  test('unlinked feedback is listed, and the existing projects', async () => {
    const report = { event_id: newEventId(), comments: 'It broke.' };
    const header = { event_id: newEventId(), dsn: upstream.dsn };
    await fetch(`${errata.url}/tunnel`, {
      method: 'POST',
      body: [header, { type: 'user_report' }, report].map((part) => JSON.stringify(part)).join('\n'),
    });

    await expect(async () => {
      const { feedback } = await api.read<FeedbackList>('feedback');
      expect(feedback).toMatchObject([{ message: 'It broke.', eventId: report.event_id }]);
      expect(await api.read('projects')).toEqual({ projects: [feedback[0]?.project] });
    }).toPass();
  });

  test('invalid requests are rejected with the reason, and never with a server error', async () => {
    const issue = { key: 'a'.repeat(64), project: upstream.dsn };
    const status = (body: unknown) => api.post('issues/status', body);
    const statuses = await Promise.all(
      [
        api.get('issues?status=gone'),
        api.get('issues?sort=last&sort=first'),
        api.get(`issues?project=${encodeURIComponent('\0')}`),
        api.get('find'),
        status({ issues: [], status: 'open' }),
        status({ issues: [{ ...issue, key: issue.key.toUpperCase() }], status: 'open' }),
        status({ issues: [issue], status: 'ignored', resolvedIn: '1' }),
        status({ issues: Array.from({ length: 201 }, () => issue), status: 'open' }),
        api.post('issues/7KQ4-M2XD/notes', { text: '   ' }),
        api.post('issues/7KQ4-M2XD/notes', { text: 'x'.repeat(10_001) }),
        api.post('issues/7KQ4-M2XD/notes', { text: 'no such issue' }),
        api.post('issues/status', { issues: [issue], status: 'open' }, { 'sec-fetch-site': 'cross-site' }),
        api.get(`find?q=${encodeURIComponent('\0 "')}`),
        api.get('issues?cursor=nonsense&q=%22'),
        status({ issues: Array.from({ length: 200 }, () => issue), status: 'resolved', resolvedIn: '1.2' }),
      ].map(async (answer) => (await answer).status),
    );
    const problem = await (await api.get('issues?status=gone')).json();

    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 404, 403, 200, 200, 200]);
    expect(problem).toMatchObject({ status: 400, detail: 'Invalid query parameter: status.' });
  });

  test('the same error in two projects is two issues, each with a URL, notes and a status', async () => {
    for (const dsn of [upstream.dsn, STAGING]) {
      const body = errorEnvelope(dsn, newEventId(), 'the same shelf is empty');
      await fetch(`${errata.url}/tunnel`, { method: 'POST', body });
    }
    const both = () => api.read<IssueList>('issues?status=all&q=same').then(({ issues }) => issues);
    await expect(async () => expect(await both()).toHaveLength(2)).toPass();
    const [one, another] = await both();
    const path = (project = '') => `${one?.digest}?project=${encodeURIComponent(project)}`;

    await api.post('issues/status', {
      issues: [{ key: one?.key, project: one?.project }],
      status: 'resolved',
    });
    const note = `issues/${one?.digest}/notes?project=${encodeURIComponent(another?.project ?? '')}`;
    await api.post(note, { text: 'Only there.' });

    expect(another?.key).toBe(one?.key);
    expect(await api.read(`issues/${path(one?.project)}`)).toMatchObject({
      project: one?.project,
      status: 'resolved',
      notes: [],
      alsoIn: [{ project: another?.project }],
    });
    expect(await api.read(`issues/${path(another?.project)}`)).toMatchObject({
      project: another?.project,
      status: 'open',
      notes: [{ text: 'Only there.' }],
    });
    expect((await api.get(`issues/${path('unknown')}`)).status).toBe(404);
  });
});
