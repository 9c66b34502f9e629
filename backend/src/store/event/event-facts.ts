import Bowser from 'bowser';
import type { IssueKind } from '../../contract/event-api.ts';
import { type Fields, fieldsAt } from '../../digest/fields.ts';
import { idNamed } from '../../digest/id-text.ts';
import { exceptionsOf, namingException } from '../reading/exceptions.ts';
import { messageOf } from '../reading/message.ts';
import { headersOf } from '../reading/pairs.ts';
import { columnText } from './column-text.ts';
import { columnTags, type Tag } from './event-tags.ts';
import { MAX_NAME_LENGTH, MAX_PATH_LENGTH, nameText, personFact, placeIn } from './fact-forms.ts';

/** Facts of an event that have a column: lists show them and reads search them. */
export interface EventFacts {
  readonly title: string;
  readonly release: string | null;
  readonly environment: string | null;
  /** As sent. */
  readonly level: string | null;
  /** Host of the page or request; see placeIn. */
  readonly host: string | null;
  /** Path of the page or request, and the route in its fragment; see placeIn. */
  readonly path: string | null;
  readonly browser: string | null;
  /** The first of the user's names: email, username, id and name. */
  readonly person: string | null;
  /** The others. */
  readonly aliases: readonly string[];
  /** Name of the server that sent it. */
  readonly server: string | null;
  readonly tags: readonly Tag[];
}

/** A title fits a line of the console. */
const MAX_TITLE_LENGTH = 200;
const MAX_URL_LENGTH = 4_096;
/** The longest level is `warning`. */
const MAX_LEVEL_LENGTH = 20;

const USER_AGENT = /^user-agent$/i;

/** Returns the facts of a scrubbed event. */
export function factsOf(event: Fields, kind: IssueKind, userAgent: string | null): EventFacts {
  const { host, path } = placeOf(event);
  const [person = null, ...aliases] = namesOf(event);
  return {
    title: titleOf(event, path),
    release: nameText(event['release']),
    environment: columnText(event['environment'], MAX_NAME_LENGTH),
    level: columnText(event['level'], MAX_LEVEL_LENGTH),
    host,
    path,
    browser: kind === 'browser' ? browserOf(event, userAgent) : null,
    person,
    aliases,
    server: serverOf(event),
    tags: columnTags(event),
  };
}

/** Returns the members that {@link factsOf} reads beside exception and tags, and the headers that name the request. */
export function partsOfFacts(event: Fields): Fields {
  const { platform, level, message, logentry, release, environment, transaction, server_name } = event;
  const { id, email, username, name } = fieldsAt(event, 'user');
  const headers = headersOf(event).filter(([header]) => USER_AGENT.test(header) || idNamed(header) !== null);
  const request = { url: fieldsAt(event, 'request')['url'], headers };
  const user = { id, email, username, name };
  return {
    platform,
    level,
    message,
    logentry,
    release,
    environment,
    transaction,
    server_name,
    request,
    user,
  };
}

/** Returns the name of the server that an event comes from. */
export function serverOf(event: Fields): string | null {
  return columnText(event['server_name'], MAX_NAME_LENGTH);
}

function placeOf(event: Fields): Pick<EventFacts, 'host' | 'path'> {
  const url = columnText(fieldsAt(event, 'request')['url'], MAX_URL_LENGTH);
  return url === null ? { host: null, path: pathOf(event) } : placeIn(url);
}

/** Returns the path of the page or request: of its URL, else of a transaction such as `GET /orders/:id`. */
export function pathOf(event: Fields): string | null {
  const url = columnText(fieldsAt(event, 'request')['url'], MAX_URL_LENGTH);
  if (url !== null) return columnText(URL.parse(url, 'http://host.invalid')?.pathname, MAX_PATH_LENGTH);
  const transaction = columnText(event['transaction'], MAX_PATH_LENGTH)?.replace(/^[A-Z]+ /, '');
  return transaction?.startsWith('/') === true ? transaction : null;
}

/** Returns the title of an event: the thrown exception, else the message. */
export function titleOf(event: Fields, path: string | null): string {
  const named = namingException(event) ?? {};
  const type = columnText(named['type'], MAX_TITLE_LENGTH);
  const value = firstLine(named['value']);
  const title = [type, value].filter((part) => part !== null).join(': ');
  if (title !== '') return title.slice(0, MAX_TITLE_LENGTH);
  return firstLine(messageOf(event)?.text) ?? `${namelessTitle(event)}${path === null ? '' : ` at ${path}`}`;
}

/**
 * Returns the event of a minidump. Without exception and message it becomes a fatal one of native code, as in Relay
 * (relay-server/src/utils/native.rs), and is named so; SDKs send it with any platform, and some without a level.
 */
export function asCrash(event: Fields): Fields {
  const isNamed = exceptionsOf(event).length > 0 || messageOf(event) !== null;
  return isNamed ? event : { ...event, platform: 'native', level: 'fatal' };
}

/** Breakpad, and Electron with it, name a crash by the minidump beside the event alone, which only the upstream can read. */
function namelessTitle({ platform, level }: Fields): string {
  return platform === 'native' && level === 'fatal' ? 'Native crash (minidump)' : 'Event without a message';
}

function firstLine(value: unknown): string | null {
  const text = columnText(value, MAX_URL_LENGTH);
  return text === null ? null : columnText(text.split(/[\r\n]/, 1)[0], MAX_TITLE_LENGTH);
}

function browserOf(event: Fields, userAgent: string | null): string | null {
  return browserLabel(columnText(userAgentIn(event)?.[1], MAX_URL_LENGTH) ?? userAgent);
}

function userAgentIn(event: Fields): readonly unknown[] | undefined {
  return headersOf(event).find(([name]) => USER_AGENT.test(name));
}

/** Returns the names of the user, each once. An address is none: one of them is that of many users. */
function namesOf(event: Fields): readonly string[] {
  const { id, email, username, name } = fieldsAt(event, 'user');
  const names = [email, username, id, name].map(nameText).filter((text) => text !== null);
  const facts = names.map(personFact);
  return names.filter((_, place) => facts.indexOf(facts[place] ?? '') === place);
}

/** A longer user agent is hostile: real ones stay below 300. */
const MAX_USER_AGENT_LENGTH = 512;
/** Labels in the cache: parsing one takes about 100 µs, and users of one application share few browsers. */
const MAX_LABELS = 1_000;

const labels = new Map<string, string | null>();

/** Returns the name of a user agent: `Chrome 156 on Linux`. Null where it is not a browser's. */
function browserLabel(userAgent: string | null): string | null {
  if (userAgent === null || userAgent === '') return null;
  const text = userAgent.slice(0, MAX_USER_AGENT_LENGTH);
  const label = labels.get(text);
  if (label !== undefined) return label;
  if (labels.size >= MAX_LABELS) labels.clear();
  const read = readLabel(text);
  labels.set(text, read);
  return read;
}

function readLabel(userAgent: string): string | null {
  const { browser, os } = Bowser.parse(userAgent);
  const name = [browser.name, browser.version?.split('.')[0]].filter(Boolean).join(' ');
  if (name === '') return null;
  return os.name === undefined || os.name === '' ? name : `${name} on ${os.name}`;
}
