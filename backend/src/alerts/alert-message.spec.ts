import fc from 'fast-check';
import { ALERT_SERVICES, type AlertService } from '../contract/alert-filter.ts';
import type { HealthProblem, IssueDelivery, SummaryDelivery, WebhookIssue } from '../contract/webhook-api.ts';
import { bodyFor, mailOf } from './alert-message.ts';

const LINK = 'https://errata.example/console/e/7KQ4-M2XD';
const LIST = 'https://errata.example/console/issues';
const TIME = '2026-11-21T12:30:00.000Z';
const ISSUE: WebhookIssue = {
  digest: '7KQ4-M2XD',
  key: '3ceafa1d',
  kind: 'server',
  isConfirmed: true,
  title: 'TypeError: a<b & c is `undefined`',
  frame: { place: 'cart/total.ts:42 totalOf', source: 'return items.length;' },
  project: 'errors.example/1',
  release: '1.4.2',
  environment: 'production',
  level: 'error',
  events: 1,
  users: 2,
  firstSeen: TIME,
  lastSeen: TIME,
  link: LINK,
};
/** An issue that has a text wherever an event may have one. */
const issueOf = (text: string): WebhookIssue => ({
  ...ISSUE,
  title: text,
  release: text,
  environment: text,
  frame: { place: text, source: text },
});
const PLAIN: WebhookIssue = {
  ...ISSUE,
  title: 'E',
  frame: null,
  release: null,
  environment: null,
  link: null,
};

const isNew = (data: WebhookIssue): IssueDelivery => ({ type: 'issue.new', timestamp: TIME, data });
const BACK: IssueDelivery = { ...isNew(PLAIN), type: 'issue.regressed' };
const SUMMARY: SummaryDelivery = {
  type: 'issues.summary',
  timestamp: TIME,
  data: {
    counts: { 'issue.new': 12, 'issue.regressed': 0, 'issue.frequent': 1 },
    issues: Array.from({ length: 12 }, () => PLAIN),
    link: LIST,
  },
};

/** Texts of a new issue, one that is back and a summary, with the title as a service has it. */
const textsOf = (title: string): readonly [string, string, string] => [
  [
    'New error · server · `production` · release `1.4.2`',
    `\`${title}\``,
    '`cart/total.ts:42 totalOf`   `return items.length;`',
    '`7KQ4-M2XD` · 1 event · 2 users',
    LINK,
  ].join('\n'),
  'Regressed error · server\n`E`\n`7KQ4-M2XD` · 1 event · 2 users',
  [
    '12 new errors · 1 frequent error',
    ...Array.from({ length: 10 }, () => '`E` · `7KQ4-M2XD` · 1 event'),
    LIST,
  ].join('\n'),
];
const MARKDOWN = textsOf("TypeError: a<b & c is 'undefined'");

const block = (...inlines: readonly (readonly [text: string, isCode?: true])[]) => ({
  type: 'RichTextBlock',
  inlines: inlines.map(([text, isCode]) =>
    isCode === true ? { type: 'TextRun', text, fontType: 'Monospace' } : { type: 'TextRun', text },
  ),
});
const card = (body: readonly object[], url?: string) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        type: 'AdaptiveCard',
        version: '1.4',
        body,
        actions: url === undefined ? [] : [{ type: 'Action.OpenUrl', title: 'Open in Errata', url }],
      },
    },
  ],
});
const COUNTS = block(['7KQ4-M2XD', true], [' · 1 event · 2 users']);
const CARDS = [
  card(
    [
      block(['New error · server'], [' · '], ['production', true], [' · release '], ['1.4.2', true]),
      block(["TypeError: a<b & c is 'undefined'", true]),
      block(['cart/total.ts:42 totalOf', true], ['   '], ['return items.length;', true]),
      COUNTS,
    ],
    LINK,
  ),
  card([block(['Regressed error · server']), block(['E', true]), COUNTS]),
  card(
    [
      block(['12 new errors · 1 frequent error']),
      ...Array.from({ length: 10 }, () => block(['E', true], [' · '], ['7KQ4-M2XD', true], [' · 1 event'])),
    ],
    LIST,
  ),
];

const BODIES: Readonly<Record<AlertService, readonly object[]>> = {
  slack: textsOf("TypeError: a&lt;b &amp; c is 'undefined'").map((text) => ({ text, unfurl_links: false })),
  teams: CARDS,
  discord: MARKDOWN.map((content) => ({ content, allowed_mentions: { parse: [] }, flags: 4 })),
  mattermost: MARKDOWN.map((text) => ({ text })),
  google: textsOf("TypeError: a‹b & c is 'undefined'").map((text) => ({ text })),
  json: [isNew(ISSUE), BACK, SUMMARY],
};

it.each(
  ALERT_SERVICES.flatMap((service) =>
    [isNew(ISSUE), BACK, SUMMARY].map(
      (body, index) => [service, body.type, body, BODIES[service][index]] as const,
    ),
  ),
)('the body for %s of %s is exact', (service, _type, body, expected) => {
  expect(bodyFor(service, body)).toBe(JSON.stringify(expected));
});

it.each([
  [isNew(ISSUE), "New error: TypeError: a<b & c is 'undefined' (7KQ4-M2XD)", MARKDOWN[0]],
  [BACK, 'Regressed error: E (7KQ4-M2XD)', MARKDOWN[1]],
  [SUMMARY, '12 new errors · 1 frequent error', MARKDOWN[2]],
])('the mail about %j is exact', (body, subject, markdown) => {
  expect(mailOf(body)).toEqual({ subject, text: `${markdown?.replaceAll('`', '')}\n` });
});

it('a mail has no address of an event that a mail program makes a link of', () => {
  const { subject, text } = mailOf(isNew(issueOf('see https://evil.example or WWW.evil.example')));

  expect(subject).toBe('New error: see https: //evil.example or WWW. evil.example (7KQ4-M2XD)');
  expect(text.replace(LINK, '')).not.toMatch(/:\/\/|www\.\w/i);
});

/** What an attacker writes into a title, in any order and number. */
const FRAGMENT = fc.oneof(
  fc.constantFrom('`', '``', '```', '\\`', '\n', '\r\n', '\u2028', '\u202e', '\u200b', '\0', '  '),
  fc.constantFrom('<!channel>', '<@U123>', '<users/all>', '@everyone', '@here', '~town-square', '&lt;', '<'),
  fc.constantFrom(
    '[x](https://evil.example)',
    'https://evil.example',
    '<https://evil.example|x>',
    '**b**',
    '||s||',
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
);
const HOSTILE = fc.array(FRAGMENT, { maxLength: 40 }).map((parts) => parts.join(''));

/** The text of a body, and what of it stands outside of inline code. */
function readBody(body: string): { readonly text: string; readonly outside: string } {
  const { text, content } = JSON.parse(body) as { readonly text?: string; readonly content?: string };
  const shown = text ?? content ?? '';
  return { text: shown, outside: shown.replace(/`[^`\n]+`/g, '') };
}

it.each(['slack', 'discord', 'mattermost', 'google'] as const)(
  'the text for %s has at most 1,900 characters and nothing of a hostile event outside of inline code',
  (service) => {
    const harmless = issueOf('x');
    const summary = (issue: WebhookIssue) => ({
      ...SUMMARY,
      data: { ...SUMMARY.data, issues: Array.from({ length: 20 }, () => issue) },
    });
    const outside = readBody(bodyFor(service, isNew(harmless))).outside;
    const outsideSummary = readBody(bodyFor(service, summary(harmless))).outside;

    fc.assert(
      fc.property(HOSTILE, (title) => {
        const issue = issueOf(title);
        const read = readBody(bodyFor(service, isNew(issue)));
        const many = readBody(bodyFor(service, summary(issue)));

        expect([read.outside, many.outside]).toEqual([outside, outsideSummary]);
        expect(Math.max(read.text.length, many.text.length)).toBeLessThanOrEqual(1_900);
        expect(/[<>](?!\n)/.test(service === 'slack' || service === 'google' ? read.text : '')).toBe(false);
        expect(read.text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }),
      { numRuns: 1_000 },
    );
  },
);

it.each(['&', '<', 'x', '👩', '"'])(
  'the text of 500 times %j is cut, and no replacement within',
  (character) => {
    const long = character.repeat(500);
    const issue = issueOf(long);

    for (const service of ['slack', 'discord', 'google'] as const) {
      const { text } = readBody(bodyFor(service, isNew(issue)));

      expect(text.length).toBeLessThanOrEqual(1_250);
      expect(service === 'slack' ? text : '').not.toMatch(/&(?!amp;|lt;)/);
      expect(text).not.toContain('\ufffd');
    }
  },
);

it('the card for Teams has the text of a hostile event in runs without markup, and stays below 28 KB', () => {
  fc.assert(
    fc.property(HOSTILE, (title) => {
      const issue = issueOf(title);
      const body = bodyFor('teams', isNew(issue));

      expect(Buffer.byteLength(body)).toBeLessThan(28_000);
      expect(body.match(/"type":"TextRun"/g)).toHaveLength(11);
    }),
    { numRuns: 1_000 },
  );
});

it('the text of a frequent issue says so', () => {
  const { text } = readBody(bodyFor('mattermost', { ...isNew(PLAIN), type: 'issue.frequent' }));

  expect(text.split('\n')[0]).toBe('Frequent error · server');
});

it.each<[HealthProblem['kind'], Partial<HealthProblem>, string]>([
  [
    'failing',
    { place: 'sentry.example/42', reason: 'timeout' },
    '`sentry.example/42` accepts nothing: `timeout`',
  ],
  ['failing', { reason: 'store_down' }, 'The local store accepts nothing: `store_down`'],
  ['paused', { place: 'a.example/1', reason: 'status_403' }, '`a.example/1` rejects the DSN: `status_403`'],
  ['rejecting', { reason: 'disk_full' }, 'New errors are answered 503: `disk_full`'],
  [
    'stranded',
    { place: 'a.example/1', count: 1 },
    '`a.example/1` is not in the settings, and 1 envelope for it will expire',
  ],
  ['unequal', { count: -2 }, 'The ledger does not balance by 2 envelopes. This is a bug'],
  ['queue_fill', { count: 71 }, 'The queue is 71 % full'],
  ['dead_letters', { count: 3 }, '3 dead letters'],
  ['errors_dropped', {}, 'Errors were dropped within the last hour'],
])('the text of the problem %s %j names host, problem and page', (kind, changes, sentence) => {
  const problem = { kind, place: null, key: null, reason: null, count: null, ...changes };
  const data = { ...problem, host: 'errata-0', since: TIME, link: LIST };
  const end = '2026-11-21T12:44:10.000Z';

  const texts = [
    bodyFor('mattermost', { type: 'health.problem', timestamp: TIME, data }),
    bodyFor('mattermost', { type: 'health.recovered', timestamp: end, data }),
  ].map((body) => readBody(body).text);

  expect(texts).toEqual([
    `Problem · \`errata-0\`\n${sentence}\n${LIST}`,
    `Recovered after 14 min · \`errata-0\`\n${sentence}\n${LIST}`,
  ]);
});
