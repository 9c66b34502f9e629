import type { EventDetail, ExceptionDetail, FrameDetail } from '@errata/backend/contract/event-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { counted } from '../../ui/format/count.ts';
import { projectName } from '@errata/backend/contract/project-name.ts';
import { sentBy } from './sent-by.ts';
import { causeEvent, minifiedNote, stackParts } from './stack-parts.ts';

interface MarkdownAnswer {
  readonly issue: IssueAnswer;
  /** undefined while it loads, null when none is stored. */
  readonly event: EventDetail | null | undefined;
  /** Permalink of the answer. */
  readonly link: string;
}

/** Newest timeline entries in the copy; people read the ticket. */
const TIME_LINE_ENTRIES = 20;

/** Escapes text of an event: it must not become a heading, a link, a mention or a table. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>|#~@!]/g, '\\$&');
}

/** Wraps text in a fence longer than any fence in it, so the text cannot end it. */
function fenced(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}\n${text}\n${fence}`;
}

/** Formats an ID as code, without backticks, so a hostile ID cannot end the code. */
function code(text: string): string {
  return `\`${text.replaceAll('`', '')}\``;
}

function utc(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime())
    ? plain(time)
    : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function frameText({ file, line, column, function: name, source }: FrameDetail): string {
  const place = [file, line, column].filter((part) => part !== null).join(':');
  const width = String(source.at(-1)?.number ?? 0).length;
  const lines = source.map(
    ({ number, text }) => `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${text}`,
  );
  return [name === null ? place : `${place}  ${name}`, ...lines].join('\n');
}

function stackText(frames: readonly FrameDetail[]): string {
  return stackParts(frames)
    .map((part) =>
      part.kind === 'own'
        ? frameText(part.frame)
        : `… ${counted(part.frames.length, 'frame hidden', 'frames hidden')}`,
    )
    .join('\n');
}

function exceptionText({ type, value, frames }: ExceptionDetail, index: number): string {
  const title = `${index === 0 ? '' : 'caused by '}**${plain(type)}**: ${plain(value)}`;
  return frames.length === 0 ? title : `${title}\n\n${fenced(stackText(frames))}`;
}

function causeOf(issue: IssueAnswer, event: EventDetail): readonly string[] {
  const shown = causeEvent(issue, event);
  const minified = minifiedNote(shown);
  return [
    '### Cause',
    ...(event.brief === true ? ['Stack trace of the most recent full event.'] : []),
    ...(minified === null ? [] : [plain(minified)]),
    ...shown.exceptions.map(exceptionText),
  ];
}

function timelineOf({ timeline }: EventDetail): readonly string[] {
  if (timeline.length === 0) return [];
  const rows = timeline
    .slice(-TIME_LINE_ENTRIES)
    .map(
      ({ time, kind, category, text }) => `| ${utc(time)} | ${kind} | ${plain(category)} | ${plain(text)} |`,
    );
  return [
    '### Timeline',
    ['| time | source | category | text |', '| --- | --- | --- | --- |', ...rows].join('\n'),
  ];
}

function factsOf(event: EventDetail): readonly string[] {
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    ['event ID', code(event.eventId)],
    ['reference', code(event.reference)],
    ['time', utc(event.time)],
    ['path', event.path === null ? null : plain(event.path)],
    ['release', event.release === null ? null : plain(event.release)],
    ['environment', event.environment === null ? null : plain(event.environment)],
    ['browser', event.browser === null ? null : plain(event.browser)],
    ['sent by', sentBy(event)],
  ];
  return ['### Event', facts.flatMap(([name, value]) => (value ? [`- ${name}: ${value}`] : [])).join('\n')];
}

function headOf({ issue, link }: MarkdownAnswer): readonly string[] {
  const { events, users, release, status, project, isShared } = issue;
  const first = [
    code(issue.digest),
    issue.kind,
    release === null ? null : `release ${plain(release)}`,
    isShared ? `project ${plain(projectName(project))}` : null,
    status,
  ];
  const people = users > 0 ? `, ${counted(users, 'user', 'users')}` : '';
  return [
    `## ${plain(issue.title)}`,
    first.filter((part) => part !== null).join(' · '),
    `${counted(events, 'event', 'events')}${people} · first seen ${utc(issue.firstSeen)} · last seen ${utc(issue.lastSeen)}`,
    link,
  ];
}

function occurrenceOf({ issue, event }: MarkdownAnswer): readonly string[] {
  if (event === undefined) return ['The event was not loaded when this was copied.'];
  if (event === null) return ['Events are past retention; only counts remain.'];
  return [...causeOf(issue, event), ...timelineOf(event), ...factsOf(event)];
}

/**
 * Returns the answer as Markdown for a ticket or a chat. The user is left out: retention and erasure do not reach
 * pasted copies. The link leads to the full data.
 */
export function answerMarkdown(answer: MarkdownAnswer): string {
  return `${[...headOf(answer), ...occurrenceOf(answer)].join('\n\n')}\n`;
}
