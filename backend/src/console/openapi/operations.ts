import {
  CONSOLE_AUDIT_PATH,
  CONSOLE_SESSION_PATH,
  CONSOLE_SESSIONS_PATH,
} from '../../contract/access-api.ts';
import { CONSOLE_ERASURE_PATH } from '../../contract/erasure-api.ts';
import { CONSOLE_EVENTS_PATH } from '../../contract/event-api.ts';
import { CONSOLE_FIND_EXAMPLES_PATH, CONSOLE_FIND_PATH } from '../../contract/find-api.ts';
import {
  CONSOLE_FEEDBACK_PATH,
  CONSOLE_ISSUES_PATH,
  CONSOLE_PROJECTS_PATH,
  ISSUE_SORTS,
  KIND_FILTERS,
  STATUS_FILTERS,
} from '../../contract/issues-api.ts';
import { CONSOLE_LIVE_PATH } from '../../contract/live-api.ts';
import { CONSOLE_TREND_PATH } from '../../contract/trend-api.ts';
import { CONSOLE_SETUP_PATH } from '../../contract/setup-api.ts';
import { DELIVERY_OPERATIONS } from './delivery-operations.ts';
import { CURSOR, type Operation, PROJECT } from './operation.ts';

export const CONSOLE_OPENAPI_PATH = '/console/api/openapi.json';

const FIND_TEXT =
  'A digest, a part of one (4 characters or more), a reference, the ID of an event, a trace or a request, an e-mail, a URL, a code in a tag, an extra, the fingerprint or the message, a pasted message';

const EVENT_SEARCH =
  'Filters that one event must match, in the syntax of `find`: `user:ann@example.org -browser:safari last:24h`.';

/** Meanings of the parameters of paths. */
export const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  digest:
    '`address` of an issue, or its digest or the ID of one of its events where no other issue has the same.',
  eventId: 'Event ID.',
  id: '`id` of a list’s row.',
};

/** All operations, in the order of the description. */
export const OPERATIONS: readonly Operation[] = [
  {
    id: 'getSession',
    method: 'get',
    path: CONSOLE_SESSION_PATH,
    summary: 'Current session and available sign-in methods.',
    role: null,
    response: 'SessionState',
  },
  {
    id: 'signIn',
    method: 'post',
    path: CONSOLE_SESSION_PATH,
    summary: 'Signs in with a token or a one-time code; the session is a cookie.',
    role: null,
    body: 'SignIn',
    response: 'SessionState',
  },
  {
    id: 'signOut',
    method: 'delete',
    path: CONSOLE_SESSION_PATH,
    summary: 'Ends the session of this browser.',
    role: null,
    response: 'SessionState',
  },
  {
    id: 'find',
    method: 'get',
    path: CONSOLE_FIND_PATH,
    summary: 'Finds a digest, a reference, any ID of an event or text; explains a miss.',
    role: 'support',
    query: {
      q: {
        meaning: `${FIND_TEXT}, or \`release:1.4.2 user:… url:/checkout "text"\`: a release or its version, any whole name of a user, a host, the beginning of a path or of the route behind \`#\`.`,
        isRequired: true,
      },
      cursor: CURSOR,
    },
    response: 'FindAnswer',
  },
  {
    id: 'listFindExamples',
    method: 'get',
    path: CONSOLE_FIND_EXAMPLES_PATH,
    summary: 'Texts of the newest events that `find` finds, one of each kind.',
    role: 'support',
    response: 'FindExamples',
  },
  {
    id: 'listIssues',
    method: 'get',
    path: CONSOLE_ISSUES_PATH,
    summary: 'Lists issues that match the filters.',
    role: 'support',
    query: {
      q: { meaning: 'Words and filters, in the syntax of `find`; it finds no digest and no ID.' },
      status: { meaning: 'Default: `all`.', values: STATUS_FILTERS },
      kind: { meaning: 'Default: `all`.', values: KIND_FILTERS },
      project: { meaning: 'Canonical DSN of one project.' },
      sort: { meaning: 'Default: `last` (newest event first).', values: ISSUE_SORTS },
      cursor: CURSOR,
    },
    response: 'IssueList',
  },
  {
    id: 'getTrend',
    method: 'get',
    path: CONSOLE_TREND_PATH,
    summary: 'Events of each hour of 14 days, and the releases first seen in them, for a view that polls.',
    role: 'support',
    query: { project: { meaning: 'Canonical DSN of one project.' } },
    response: 'Trend',
  },
  {
    id: 'listProjects',
    method: 'get',
    path: CONSOLE_PROJECTS_PATH,
    summary: 'Lists the projects that have sent events.',
    role: 'support',
    response: 'ProjectList',
  },
  {
    id: 'getSetup',
    method: 'get',
    path: CONSOLE_SETUP_PATH,
    summary: 'DSNs and paths for the SDKs of an application.',
    role: 'support',
    response: 'Setup',
  },
  {
    id: 'setStatus',
    method: 'post',
    path: `${CONSOLE_ISSUES_PATH}/status`,
    summary: 'Sets the status of issues: open, resolved (in a release) or ignored.',
    role: 'operator',
    body: 'StatusChange',
    response: 'StatusChanged',
  },
  {
    id: 'getIssue',
    method: 'get',
    path: `${CONSOLE_ISSUES_PATH}/:digest`,
    summary: 'Issue with its newest event, history, notes and feedback.',
    role: 'support',
    query: { project: PROJECT },
    response: 'IssueAnswer',
  },
  {
    id: 'listEvents',
    method: 'get',
    path: `${CONSOLE_ISSUES_PATH}/:digest/events`,
    summary: 'Stored events of an issue, newest first.',
    role: 'support',
    query: {
      project: PROJECT,
      q: { meaning: EVENT_SEARCH },
      cursor: CURSOR,
    },
    response: 'EventList',
  },
  {
    id: 'getIssueFacets',
    method: 'get',
    path: `${CONSOLE_ISSUES_PATH}/:digest/facets`,
    summary: 'How the newest 1,000 events of an issue are distributed, and what is different about it.',
    role: 'support',
    query: { project: PROJECT, q: { meaning: EVENT_SEARCH } },
    response: 'IssueFacets',
  },
  {
    id: 'addNote',
    method: 'post',
    path: `${CONSOLE_ISSUES_PATH}/:digest/notes`,
    summary: 'Adds a note to an issue.',
    role: 'operator',
    query: { project: PROJECT },
    body: 'NewNote',
    response: 'Note',
  },
  {
    id: 'setPageLine',
    method: 'put',
    path: `${CONSOLE_ISSUES_PATH}/:digest/page-line`,
    summary: 'Sets or removes the line on the error pages of exactly this fault of the server.',
    role: 'operator',
    query: {
      project: { meaning: 'Canonical DSN. Default, and only valid value: the project of this server.' },
    },
    body: 'NewPageLine',
    response: 'PageLine',
  },
  {
    id: 'listFeedback',
    method: 'get',
    path: CONSOLE_FEEDBACK_PATH,
    summary: 'Feedback not linked to a stored event.',
    role: 'support',
    query: { cursor: CURSOR },
    response: 'FeedbackList',
  },
  {
    id: 'getEvent',
    method: 'get',
    path: `${CONSOLE_EVENTS_PATH}/:eventId`,
    summary: 'One event: cause, timeline, request, delivery status.',
    role: 'support',
    query: { project: PROJECT },
    response: 'EventDetail',
  },
  {
    id: 'downloadEvent',
    method: 'get',
    path: `${CONSOLE_EVENTS_PATH}/:eventId/raw`,
    summary: 'Stored event as JSON, secrets removed.',
    role: 'support',
    query: { project: PROJECT },
    response: 'StoredEventJson',
  },
  {
    id: 'followLive',
    method: 'get',
    path: CONSOLE_LIVE_PATH,
    summary: 'Events stored since the previous call, for a view that polls.',
    role: 'support',
    query: {
      after: { meaning: '`next` of the previous call; without it only the cursor is returned.' },
    },
    response: 'LiveEvents',
  },
  ...DELIVERY_OPERATIONS,
  {
    id: 'listSessions',
    method: 'get',
    path: CONSOLE_SESSIONS_PATH,
    summary: 'Active sessions (operators: all; others: own).',
    role: 'support',
    response: 'SessionList',
  },
  {
    id: 'revokeSession',
    method: 'delete',
    path: `${CONSOLE_SESSIONS_PATH}/:id`,
    summary: 'Revokes a session; operators may revoke any.',
    role: 'support',
    response: null,
  },
  {
    id: 'listAudit',
    method: 'get',
    path: CONSOLE_AUDIT_PATH,
    summary: 'Audit log, newest first.',
    role: 'operator',
    query: { cursor: CURSOR },
    response: 'AuditList',
  },
  {
    id: 'erase',
    method: 'post',
    path: CONSOLE_ERASURE_PATH,
    summary: 'Erases data by user, event or age, in all projects or in one.',
    role: 'operator',
    body: 'Erasure',
    response: 'Erased',
  },
  {
    id: 'listErasureMatches',
    method: 'post',
    path: `${CONSOLE_ERASURE_PATH}/matches`,
    summary: 'Counts by project what an erasure would delete, and deletes nothing.',
    role: 'operator',
    body: 'Erasure',
    response: 'ErasureMatches',
  },
];
