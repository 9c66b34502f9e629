import type { AuditList } from '../../contract/access-api.ts';
import type { IssueAnswer } from '../../contract/issues-api.ts';
import { DEMO_SERVER_ERROR_PATH } from '../../contract/routes.ts';
import { browserEvent, envelopeOf } from '../../store/test/envelopes.fixture.ts';
import { ConsoleServer, OPERATOR_TOKEN, SUPPORT_TOKEN } from '../console-server.fixture.ts';

const OPERATOR = { bearer: OPERATOR_TOKEN };
const LINE = 'Card payments fail since 14:00 UTC.';

let server: ConsoleServer;
const start = async (settings: Readonly<Record<string, string>>) => {
  server = await ConsoleServer.start({ ERRATA_DEMO: 'on', ...settings });
};
afterEach(() => server.close());

/** Opens a page that fails. @param fault another one of the same function. */
async function fail(fault: string): Promise<{ readonly digest: string; readonly html: string }> {
  const response = await fetch(`${server.url}${DEMO_SERVER_ERROR_PATH}?fault=${fault}`, {
    headers: { accept: 'text/html' },
  });
  return { digest: response.headers.get('x-errata-digest') ?? '', html: await response.text() };
}

async function stored(digest: string): Promise<IssueAnswer> {
  for (;;) {
    const response = await server.ask('GET', `/console/api/issues/${digest}`, OPERATOR);
    if (response.ok) return (await response.json()) as IssueAnswer;
  }
}

/** Fails until the page shows the line, or none. */
async function untilShown(fault: string, isShown: boolean): Promise<string> {
  for (;;) {
    const { html } = await fail(fault);
    if (html.includes(LINE) === isShown) return html;
  }
}

const put = (digest: string, text: unknown, as: object = OPERATOR, project = '') =>
  server.ask('PUT', `/console/api/issues/${digest}/page-line?project=${encodeURIComponent(project)}`, as, {
    text,
  });

it('is on the pages of one of two faults of one function, until it is removed', async () => {
  await start({ ERRATA_ERROR_PAGE: 'helpful' });
  const { digest } = await fail('1');
  await stored(digest);

  const set = await put(digest, `  ${LINE} `);
  const shown = await untilShown('1', true);
  const ofOther = await fail('2');
  const { pageLine } = await stored(digest);
  const removed = await put(digest, '');
  await untilShown('1', false);

  expect(await set.json()).toEqual({ text: LINE, isShown: true });
  expect(pageLine).toEqual({ text: LINE, isShown: true });
  expect(shown).toContain(`</p><p dir="auto">${LINE}</p><p><a href="">Try again</a>`);
  expect(ofOther.digest).not.toBe(digest);
  expect(ofOther.html).not.toContain(LINE);
  expect(await removed.json()).toEqual({ text: '', isShown: true });
  const { entries } = await server.read<AuditList>('/console/api/audit', OPERATOR);
  expect(entries.filter(({ action }) => action === 'page_line')).toMatchObject([
    { role: 'operator', target: digest, detail: 'removed' },
    { role: 'operator', target: digest, detail: LINE },
  ]);
});

it('is stored, and not shown by plain pages', async () => {
  await start({});
  const { digest, html } = await fail('1');
  await stored(digest);
  await put(digest, LINE);

  expect((await stored(digest)).pageLine).toEqual({ text: LINE, isShown: false });
  expect(html).not.toContain('<div><p>');
  expect(await untilShown('1', false)).not.toContain('<div><p>');
});

it('is one line of plain text of an operator, on a page of this server', async () => {
  await start({ ERRATA_TUNNEL_DSNS: 'https://staging@errors.example/7' });
  const { digest } = await fail('1');
  await stored(digest);
  const [{ project: own }] = server.parts.projects;
  const event = { type: 'event', payload: browserEvent(1) };
  await server.parts.spool.append(envelopeOf([event], { project: own, source: 'gateway' }));
  const { digest: ofBrowser, pageLine } = await stored(browserEvent(1)['event_id'] as string);
  const texts = ['x'.repeat(201), 'a\nb', 'a\u2028b', 'a\u0000b', 'a\u202eb', 'a\u2066b', 7, undefined];

  const statuses = async (responses: readonly Promise<Response>[]) =>
    (await Promise.all(responses)).map(({ status }) => status);
  expect(await statuses(texts.map((text) => put(digest, text)))).toEqual(texts.map(() => 400));
  expect(
    await statuses([
      put(digest, 'x'.repeat(200), OPERATOR, own),
      put(digest, LINE, OPERATOR, 'https://staging@errors.example/7'),
      put(ofBrowser, LINE),
      put('ABCD-EFGH', LINE),
      put(digest, LINE, { bearer: SUPPORT_TOKEN }),
      put(digest, LINE, {}),
    ]),
  ).toEqual([200, 400, 400, 404, 403, 401]);
  expect(pageLine).toBeNull();
});
