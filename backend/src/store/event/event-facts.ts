import type { IssueKind } from '../../contract/event-api.ts';
import { DAY_MS } from '../../time/iso.ts';
import { browserLabel } from './browser-label.ts';
import { type Fields, fieldsAt, objectsIn } from '../../digest/fields.ts';
import { columnText } from './column-text.ts';

/** Facts of an event that get a column of their own: what lists show and look-ups search. */
export interface EventFacts {
  readonly title: string;
  readonly release: string | null;
  readonly environment: string | null;
  readonly path: string | null;
  readonly browser: string | null;
  readonly person: string | null;
}

/** Titles fit a line of the console. */
const MAX_TITLE_LENGTH = 200;
/** Sentry's own limit for releases. */
const MAX_NAME_LENGTH = 250;
const MAX_PATH_LENGTH = 500;
const MAX_URL_LENGTH = 4_096;

/** The SDKs that run in a page; those of servers end in node, nestjs, bun and so on. */
const BROWSER_SDK =
  /^sentry\.javascript\.(?:browser|react|vue|angular|svelte|solid|preact|ember|gatsby|wasm)(?:\b|$)/;

const USER_AGENT = /^user-agent$/i;

/** How far before its arrival an event may lie: the longest an SDK or the spool holds one back. */
const MAX_AGE_MS = 7 * DAY_MS;
/** How far after it: the rest of a clock that is set by hand. */
const MAX_AHEAD_MS = 60 * 1000;

/** @param event as it will be kept: scrubbed. */
export function factsOf(event: Fields, kind: IssueKind, userAgent: string | null): EventFacts {
  return {
    title: titleOf(event, pathOf(event)),
    release: columnText(event['release'], MAX_NAME_LENGTH),
    environment: columnText(event['environment'], MAX_NAME_LENGTH),
    path: pathOf(event),
    browser: kind === 'browser' ? browserOf(event, userAgent) : null,
    person: personOf(event),
  };
}

/** The members {@link factsOf} reads beside the exception. */
export function partsOfFacts(event: Fields): Fields {
  const { message, logentry, release, environment, transaction } = event;
  const { id, email, username } = fieldsAt(event, 'user');
  const request = { url: fieldsAt(event, 'request')['url'], headers: [userAgentIn(event)] };
  return { message, logentry, release, environment, transaction, request, user: { id, email, username } };
}

/** Where the fault lies: in a page, or in a process behind it. */
export function kindOf(event: Fields): IssueKind {
  if (BROWSER_SDK.test(columnText(fieldsAt(event, 'sdk')['name'], MAX_NAME_LENGTH) ?? '')) return 'browser';
  if (event['platform'] !== 'javascript') return 'server';
  const isPage = typeof fieldsAt(event, 'request')['url'] === 'string';
  return isPage || Object.keys(fieldsAt(event, 'contexts', 'browser')).length > 0 ? 'browser' : 'server';
}

/**
 * When it happened, by the sender's clock unless that is plainly wrong: outside of a week before and a minute
 * after its arrival, the arrival counts. The drift that `sent_at` would tell is not applied: an event kept
 * offline is sent by the same clock, and the arrival stands beside it in the database.
 */
export function occurredMs(event: Fields, receivedMs: number): number {
  const timeMs = millisecondsOf(event['timestamp']);
  const isSane = timeMs >= receivedMs - MAX_AGE_MS && timeMs <= receivedMs + MAX_AHEAD_MS;
  return isSane ? Math.round(timeMs) : receivedMs;
}

/** A time as Sentry writes it, in seconds or in ISO 8601, as ms; NaN for anything else. */
export function millisecondsOf(timestamp: unknown): number {
  return typeof timestamp === 'number' ? timestamp * 1000 : Date.parse(columnText(timestamp, 64) ?? '');
}

/** Path of the page or the request: of its URL, else of a transaction such as `GET /orders/:id`. */
export function pathOf(event: Fields): string | null {
  const url = columnText(fieldsAt(event, 'request')['url'], MAX_URL_LENGTH);
  if (url !== null) return columnText(URL.parse(url, 'http://host.invalid')?.pathname, MAX_PATH_LENGTH);
  const transaction = columnText(event['transaction'], MAX_PATH_LENGTH)?.replace(/^[A-Z]+ /, '');
  return transaction?.startsWith('/') === true ? transaction : null;
}

/** What was thrown last, or logged. An event with neither is still something that was reported. */
export function titleOf(event: Fields, path: string | null): string {
  const thrown = exceptionsOf(event).at(-1) ?? {};
  const type = columnText(thrown['type'], MAX_TITLE_LENGTH);
  const value = firstLine(thrown['value']);
  const said = [type, value].filter((part) => part !== null).join(': ');
  if (said !== '') return said.slice(0, MAX_TITLE_LENGTH);
  return messageOf(event) ?? `Event without a message${path === null ? '' : ` at ${path}`}`;
}

/** The last of the exceptions is what was thrown, those before it are its causes. */
export function exceptionsOf({ exception }: Fields): readonly Fields[] {
  return objectsIn(Array.isArray(exception) ? exception : fieldsAt(exception)['values']);
}

function messageOf(event: Fields): string | null {
  const { logentry, message } = event;
  const texts = [fieldsAt(logentry)['formatted'], fieldsAt(logentry)['message'], logentry, message];
  return texts.map(firstLine).find((text) => text !== null) ?? firstLine(fieldsAt(message)['message']);
}

function firstLine(value: unknown): string | null {
  const text = columnText(value, MAX_URL_LENGTH);
  return text === null ? null : columnText(text.split(/[\r\n]/, 1)[0], MAX_TITLE_LENGTH);
}

function browserOf(event: Fields, userAgent: string | null): string | null {
  return browserLabel(columnText(userAgentIn(event)?.[1], MAX_URL_LENGTH) ?? userAgent);
}

/** The header, name and value. */
function userAgentIn(event: Fields): readonly unknown[] | undefined {
  const { headers } = fieldsAt(event, 'request');
  const pairs: readonly unknown[] = Array.isArray(headers) ? headers : Object.entries(fieldsAt(headers));
  return pairs.filter((pair) => Array.isArray(pair)).find(([name]) => USER_AGENT.test(String(name)));
}

function personOf(event: Fields): string | null {
  const { id, email, username } = fieldsAt(event, 'user');
  return (
    [email, username, id].map((value) => columnText(value, MAX_NAME_LENGTH)).find((text) => text !== null) ??
    null
  );
}
