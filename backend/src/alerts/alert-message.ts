import type { AlertService } from '../contract/alert-filter.ts';
import type {
  HealthDelivery,
  HealthProblem,
  IssueDelivery,
  WebhookBody,
  WebhookIssue,
} from '../contract/webhook-api.ts';

/**
 * The messages of chat services. Text of an event may be an attack: it stands only in inline code, in which no service makes a link,
 * a mention or markup of it.
 */

/** A part of a line; `code` is text of an event. */
type Part = { readonly text: string } | { readonly code: string };
type Line = readonly Part[];

/** A message, and where it leads. */
interface Message {
  readonly lines: readonly Line[];
  readonly link: string | null;
}

/** Most characters of a text of an event, as a service gets them. Six of them, and a link, are below 1,900: Discord takes 2,000. */
const MAX_CODE_LENGTH = 200;
/** For the titles of a summary, which has ten. */
const MAX_SHORT_LENGTH = 110;
const MAX_NAMED = 10;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const HEADS = {
  'issue.new': 'New error',
  'issue.regressed': 'Regressed error',
  'issue.frequent': 'Frequent error',
} as const;

const MINUTE_MS = 60_000;
const PROBLEMS: Readonly<Record<HealthProblem['kind'], (count: number) => string>> = {
  failing: () => 'accepts nothing',
  paused: () => 'rejects the DSN',
  rejecting: () => 'New errors are answered 503',
  stranded: (count) => `is not in the settings, and ${counted(count, 'envelope')} for it will expire`,
  unequal: (count) => `The ledger does not balance by ${counted(Math.abs(count), 'envelope')}. This is a bug`,
  queue_fill: (count) => `The queue is ${count} % full`,
  dead_letters: (count) => counted(count, 'dead letter'),
  errors_dropped: () => 'Errors were dropped within the last hour',
};

/** By service: the texts that its markup needs in place of a character. */
const ESCAPES: Readonly<Partial<Record<AlertService, Readonly<Record<string, string>>>>> = {
  slack: { '&': '&amp;', '<': '&lt;', '>': '&gt;' },
  // They mark mentions, and Google Chat has no escape.
  google: { '<': '‹', '>': '›' },
};

/** Returns the JSON of a message for a service; for `json` the event itself (Standard Webhooks). */
export function bodyFor(service: AlertService, body: WebhookBody): string {
  if (service === 'json') return JSON.stringify(body);
  const message = messageOf(body);
  if (service === 'teams') return JSON.stringify(cardOf(message));
  const text = textOf(message, ESCAPES[service] ?? {});
  if (service === 'slack') return JSON.stringify({ text, unfurl_links: false });
  if (service === 'discord') {
    // 4: no preview of the link.
    return JSON.stringify({ content: text, allowed_mentions: { parse: [] }, flags: 4 });
  }
  return JSON.stringify({ text });
}

/**
 * Returns a mail about an event, in plain text: it needs no inline code, but its reader's program makes links of addresses, and those of
 * an event may be an attack.
 */
export function mailOf(body: WebhookBody): { readonly subject: string; readonly text: string } {
  const { lines, link } = messageOf(body);
  const plain = lines.map((line) =>
    line.map((part) => ('code' in part ? unlinked(clean(part.code, MAX_CODE_LENGTH)) : part.text)).join(''),
  );
  const text = [...plain, ...(link === null ? [] : [link]), ''].join('\n');
  if (!isAboutIssue(body)) return { subject: plain[0] ?? '', text };
  const { title, digest } = body.data;
  return { subject: `${HEADS[body.type]}: ${unlinked(clean(title, MAX_CODE_LENGTH))} (${digest})`, text };
}

function isAboutIssue(body: WebhookBody): body is IssueDelivery {
  return 'digest' in body.data;
}

function unlinked(text: string): string {
  return text.replaceAll('://', ': //').replaceAll(/www\./gi, '$& ');
}

function messageOf(body: WebhookBody): Message {
  if (body.type === 'test') {
    const { text, link } = body.data;
    return { lines: [[{ text }]], link };
  }
  if (isHealth(body)) return { lines: healthLines(body), link: body.data.link };
  if (body.type !== 'issues.summary') {
    return { lines: linesOf(HEADS[body.type], body.data), link: body.data.link };
  }
  const { counts, issues, link } = body.data;
  const head = [
    counted(counts['issue.new'], 'new error'),
    counted(counts['issue.regressed'], 'regressed error'),
    counted(counts['issue.frequent'], 'frequent error'),
  ];
  const named = issues
    .slice(0, MAX_NAMED)
    .map(({ title, digest, events }) => [
      { code: clean(title, MAX_SHORT_LENGTH) },
      { text: ' · ' },
      { code: digest },
      { text: ` · ${counted(events, 'event')}` },
    ]);
  return { lines: [[{ text: head.filter((part) => !part.startsWith('0 ')).join(' · ') }], ...named], link };
}

function linesOf(head: string, issue: WebhookIssue): readonly Line[] {
  const { title, frame, digest, kind, isConfirmed, environment, release, events, users } = issue;
  // Of a browser it is always the public key.
  const sender = kind === 'server' && !isConfirmed ? ' · public key' : '';
  const first: Part[] = [{ text: `${head} · ${kind}${sender}` }];
  if (environment !== null) first.push({ text: ' · ' }, { code: environment });
  if (release !== null) first.push({ text: ' · release ' }, { code: release });
  const lines: Line[] = [first, [{ code: title }]];
  if (frame !== null) {
    const { place, source } = frame;
    lines.push(source === null ? [{ code: place }] : [{ code: place }, { text: '   ' }, { code: source }]);
  }
  const counts = ` · ${counted(events, 'event')} · ${counted(users, 'user')}`;
  return [...lines, [{ code: digest }, { text: counts }]];
}

function isHealth(body: WebhookBody): body is HealthDelivery {
  return body.type.startsWith('health.');
}

function healthLines({ type, timestamp, data }: HealthDelivery): readonly Line[] {
  const minutes = Math.round((Date.parse(timestamp) - Date.parse(data.since)) / MINUTE_MS);
  const head = type === 'health.problem' ? 'Problem' : `Recovered after ${minutes} min`;
  const reason = data.reason === null ? [] : [{ text: ': ' }, { code: data.reason }];
  return [
    [{ text: `${head} · ` }, { code: data.host }],
    [...placeOf(data), { text: PROBLEMS[data.kind](data.count ?? 0) }, ...reason],
  ];
}

function placeOf({ kind, place }: HealthProblem): Line {
  if (place !== null) return [{ code: place }, { text: ' ' }];
  return kind === 'failing' ? [{ text: 'The local store ' }] : [];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function textOf({ lines, link }: Message, escapes: Readonly<Record<string, string>>): string {
  const written = lines.map((line) =>
    line.map((part) => ('code' in part ? `\`${escaped(part.code, escapes)}\`` : part.text)).join(''),
  );
  return [...written, ...(link === null ? [] : [link])].join('\n');
}

/** Returns the text of inline code: its length counts after the replacements. */
function escaped(code: string, escapes: Readonly<Record<string, string>>): string {
  let text = '';
  for (const character of clean(code, MAX_CODE_LENGTH)) {
    const next = escapes[character] ?? character;
    if (text.length + next.length > MAX_CODE_LENGTH) break;
    text += next;
  }
  return text;
}

/** Returns a text that fits inline code: without backticks, which would end it, and without what a reader does not see. */
function clean(text: string, maxLength: number): string {
  return printable(text.replaceAll('`', "'"), maxLength) || '-';
}

/** Returns a text without what a reader does not see. */
export function printable(text: string, maxLength: number): string {
  const seen = text.toWellFormed().replace(UNSEEN, ' ').trim();
  return seen.slice(0, maxLength).toWellFormed().trim();
}

/** Returns the Adaptive Card of Teams, whose text runs have no markup. @see https://adaptivecards.io/explorer/TextRun.html */
function cardOf({ lines, link }: Message): object {
  const body = lines.map((line) => ({
    type: 'RichTextBlock',
    inlines: line.map((part) =>
      'code' in part
        ? { type: 'TextRun', text: clean(part.code, MAX_CODE_LENGTH), fontType: 'Monospace' }
        : { type: 'TextRun', text: part.text },
    ),
  }));
  const actions = link === null ? [] : [{ type: 'Action.OpenUrl', title: 'Open in Errata', url: link }];
  const content = { type: 'AdaptiveCard', version: '1.4', body, actions };
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', content };
  return { type: 'message', attachments: [attachment] };
}
