import {
  CONSOLE_AUDIT_PATH,
  CONSOLE_SESSION_PATH,
  CONSOLE_SESSIONS_PATH,
  type Role,
} from '../../contract/access-api.ts';
import { CONSOLE_DEAD_LETTERS_PATH, CONSOLE_DELIVERY_PATH } from '../../contract/delivery-api.ts';
import { CONSOLE_ERASURE_PATH } from '../../contract/erasure-api.ts';
import { CONSOLE_EVENTS_PATH } from '../../contract/event-api.ts';
import { CONSOLE_FIND_PATH } from '../../contract/find-api.ts';
import {
  CONSOLE_FEEDBACK_PATH,
  CONSOLE_ISSUES_PATH,
  CONSOLE_PROJECTS_PATH,
} from '../../contract/issues-api.ts';
import { CONSOLE_LIVE_PATH } from '../../contract/live-api.ts';

export const CONSOLE_OPENAPI_PATH = '/console/api/openapi.json';

/** A parameter of the query, by what it holds. */
export interface QueryParameter {
  readonly meaning: string;
  /** The only values it takes. */
  readonly values?: readonly string[];
  readonly isRequired?: boolean;
}

/** One thing the console's API can be asked; the API's description (OpenAPI) is made of these and of the types. */
export interface Operation {
  readonly id: string;
  readonly method: 'get' | 'post' | 'delete';
  /** As the router takes it: `:name` stands for one segment. */
  readonly path: string;
  readonly summary: string;
  /** Who may; null for everybody, signed in or not. */
  readonly role: Role | null;
  readonly query?: Readonly<Record<string, QueryParameter>>;
  /** Name of the type of the body in JSON. */
  readonly body?: string;
  /** Name of the type of the answer in JSON; null for none (204). */
  readonly answer: string | null;
  /** Of the answer, where it is not plain JSON. */
  readonly media?: 'text/event-stream';
}

const CURSOR: QueryParameter = { meaning: '`next` of the page before; left out for the first page.' };
const PROJECT: QueryParameter = {
  meaning: 'Canonical DSN of the project, where several have it; the one seen last when left out.',
};
const FIND_TEXT =
  'A digest, a part of one (4 symbols or more), a reference, an event id, a whole pasted message';

/** All of it, in the order of the description. */
export const OPERATIONS: readonly Operation[] = [
  {
    id: 'getSession',
    method: 'get',
    path: CONSOLE_SESSION_PATH,
    summary: 'Whether this browser is signed in, and how it could be.',
    role: null,
    answer: 'SessionState',
  },
  {
    id: 'signIn',
    method: 'post',
    path: CONSOLE_SESSION_PATH,
    summary: 'Signs in with a token or a one-time code; the session is a cookie.',
    role: null,
    body: 'SignIn',
    answer: 'SessionState',
  },
  {
    id: 'signOut',
    method: 'delete',
    path: CONSOLE_SESSION_PATH,
    summary: 'Ends the session of this browser.',
    role: null,
    answer: 'SessionState',
  },
  {
    id: 'find',
    method: 'get',
    path: CONSOLE_FIND_PATH,
    summary: 'Finds what a pasted text names, or says why it is not here.',
    role: 'support',
    query: {
      q: {
        meaning: `${FIND_TEXT}, or \`release:1.4.2 user:… url:/checkout "text"\`.`,
        isRequired: true,
      },
      cursor: CURSOR,
    },
    answer: 'FindAnswer',
  },
  {
    id: 'listIssues',
    method: 'get',
    path: CONSOLE_ISSUES_PATH,
    summary: 'Issues that fit the filters, page by page.',
    role: 'support',
    query: {
      q: { meaning: 'A search as the find box takes it.' },
      status: {
        meaning: 'Only these; `open` when left out.',
        values: ['open', 'resolved', 'ignored', 'all'],
      },
      kind: { meaning: 'Only these; `all` when left out.', values: ['browser', 'server', 'all'] },
      project: { meaning: 'Canonical DSN of one project.' },
      sort: { meaning: '`last` seen first when left out.', values: ['last', 'first', 'events', 'users'] },
      cursor: CURSOR,
    },
    answer: 'IssueList',
  },
  {
    id: 'listProjects',
    method: 'get',
    path: CONSOLE_PROJECTS_PATH,
    summary: 'The projects that have issues, for the filter of the list.',
    role: 'support',
    answer: 'ProjectList',
  },
  {
    id: 'setStatus',
    method: 'post',
    path: `${CONSOLE_ISSUES_PATH}/status`,
    summary: 'Opens, resolves (in a release) or ignores issues.',
    role: 'operator',
    body: 'StatusChange',
    answer: 'StatusChanged',
  },
  {
    id: 'getIssue',
    method: 'get',
    path: `${CONSOLE_ISSUES_PATH}/:digest`,
    summary: 'The answer to a digest: the newest occurrence in full, history, notes, what people wrote.',
    role: 'support',
    query: { project: PROJECT },
    answer: 'IssueAnswer',
  },
  {
    id: 'listEvents',
    method: 'get',
    path: `${CONSOLE_ISSUES_PATH}/:digest/events`,
    summary: 'Occurrences of an issue that are still kept, newest first.',
    role: 'support',
    query: { project: PROJECT, cursor: CURSOR },
    answer: 'EventList',
  },
  {
    id: 'addNote',
    method: 'post',
    path: `${CONSOLE_ISSUES_PATH}/:digest/notes`,
    summary: 'Writes a note to an issue.',
    role: 'operator',
    query: { project: PROJECT },
    body: 'NewNote',
    answer: 'Note',
  },
  {
    id: 'listFeedback',
    method: 'get',
    path: CONSOLE_FEEDBACK_PATH,
    summary: 'What people wrote that speaks of no event that is here.',
    role: 'support',
    query: { cursor: CURSOR },
    answer: 'FeedbackList',
  },
  {
    id: 'getEvent',
    method: 'get',
    path: `${CONSOLE_EVENTS_PATH}/:eventId`,
    summary: 'One occurrence: cause, time line of both halves, request, delivery.',
    role: 'support',
    query: { project: PROJECT },
    answer: 'EventDetail',
  },
  {
    id: 'downloadEvent',
    method: 'get',
    path: `${CONSOLE_EVENTS_PATH}/:eventId/raw`,
    summary: 'The scrubbed event as it is kept.',
    role: 'support',
    query: { project: PROJECT },
    answer: 'StoredEventJson',
  },
  {
    id: 'followLive',
    method: 'get',
    path: CONSOLE_LIVE_PATH,
    summary: 'What comes in, as it comes: server-sent events `event` (LiveEvent) and `gap` (LiveGap).',
    role: 'support',
    query: {
      after: {
        meaning: 'Id of the last event that was told before; Last-Event-ID says it as well, and first.',
      },
    },
    answer: 'LiveEvent',
    media: 'text/event-stream',
  },
  {
    id: 'getDelivery',
    method: 'get',
    path: CONSOLE_DELIVERY_PATH,
    summary: 'What became of every envelope: the ledger, what is held, the sinks.',
    role: 'support',
    answer: 'DeliveryState',
  },
  {
    id: 'listDeadLetters',
    method: 'get',
    path: CONSOLE_DEAD_LETTERS_PATH,
    summary: 'Envelopes no sink will take, newest first.',
    role: 'support',
    query: { cursor: CURSOR },
    answer: 'DeadLetterList',
  },
  {
    id: 'getDeadLetter',
    method: 'get',
    path: `${CONSOLE_DEAD_LETTERS_PATH}/:id`,
    summary: 'What is in a dead letter, scrubbed.',
    role: 'support',
    answer: 'DeadLetterDetail',
  },
  {
    id: 'redrive',
    method: 'post',
    path: `${CONSOLE_DEAD_LETTERS_PATH}/redrive`,
    summary: 'Sends dead letters again.',
    role: 'operator',
    body: 'DeadLetterChoice',
    answer: 'DeadLetterResult',
  },
  {
    id: 'discard',
    method: 'post',
    path: `${CONSOLE_DEAD_LETTERS_PATH}/discard`,
    summary: 'Drops dead letters for good; they stay counted.',
    role: 'operator',
    body: 'DeadLetterChoice',
    answer: 'DeadLetterResult',
  },
  {
    id: 'listSessions',
    method: 'get',
    path: CONSOLE_SESSIONS_PATH,
    summary: 'Who is signed in: everybody for operators, else one’s own sessions.',
    role: 'support',
    answer: 'SessionList',
  },
  {
    id: 'revokeSession',
    method: 'delete',
    path: `${CONSOLE_SESSIONS_PATH}/:id`,
    summary: 'Ends a session; operators may end any.',
    role: 'support',
    answer: null,
  },
  {
    id: 'listAudit',
    method: 'get',
    path: CONSOLE_AUDIT_PATH,
    summary: 'Who looked up and changed what, newest first.',
    role: 'operator',
    query: { cursor: CURSOR },
    answer: 'AuditList',
  },
  {
    id: 'erase',
    method: 'post',
    path: CONSOLE_ERASURE_PATH,
    summary: 'Forgets a person, an event, or everything before a time.',
    role: 'operator',
    body: 'Erasure',
    answer: 'Erased',
  },
];
