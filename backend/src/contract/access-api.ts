/** Sign-in, sessions, roles and the audit log. Times are ISO 8601 in UTC. */

export const CONSOLE_SESSION_PATH = '/console/api/session';
export const CONSOLE_SESSIONS_PATH = '/console/api/sessions';
export const CONSOLE_AUDIT_PATH = '/console/api/audit';
/** Redirects a browser to the OpenID Connect provider; `?to=` is the console's page to return to. */
export const CONSOLE_OIDC_START_PATH = '/console/api/oidc/start';
export const CONSOLE_OIDC_RETURN_PATH = '/console/api/oidc/return';

/** `support` has read-only access; `operator` can change everything. */
export type Role = (typeof ROLES)[number];
export const ROLES = ['operator', 'support'] as const;

/** Response of `GET /console/api/session`. */
export interface SessionState {
  readonly signedIn: boolean;
  /** Whether a sign-in method is configured; without one the console is closed. */
  readonly open: boolean;
  readonly ways: readonly SignInWay[];
  /** Name of the signed-in user, as in the audit log. */
  readonly who: string | null;
  readonly role: Role | null;
}

export type SignInWay = 'token' | 'oidc';

/**
 * Reason why a sign-in by OpenID Connect failed, as `?problem=` of the sign-in page. `denied`: the provider denied access
 * or the user cancelled. `no_access`: the user is in neither list. `unverified`: the provider does not state that the user's
 * email address is verified. `unreachable`: the provider does not respond. `rejected`: its response failed a check.
 * `expired`: it took longer than ten minutes, or started in another tab. `plain_http`: the console was opened over plain
 * HTTP. `too_many`: too many attempts in a minute.
 */
export type SignInProblem =
  'denied' | 'no_access' | 'unverified' | 'unreachable' | 'rejected' | 'expired' | 'plain_http' | 'too_many';

/** How a session started; `link` is the one-time link that the server prints at start. */
export type SessionWay = SignInWay | 'link';

/** Body of `POST /console/api/session`: a token, or the one-time code of a printed link. */
export type SignIn = { readonly token: string } | { readonly code: string };

/** A signed-in browser. */
export interface SessionSummary {
  /** Identifies the session, and is no secret: it does not open the console. */
  readonly id: string;
  readonly who: string;
  readonly role: Role;
  readonly way: SessionWay;
  readonly created: string;
  readonly lastSeen: string;
  /** Whether it is the session of this request. */
  readonly own: boolean;
}

/** Response of `GET /console/api/sessions`: all sessions for operators, otherwise one's own. `DELETE …/:id` revokes one. */
export interface SessionList {
  readonly sessions: readonly SessionSummary[];
}

/** Reads that the audit log records. */
export type ReadAction = 'find' | 'read' | 'download';

/** Changes that the audit log records. */
export type ChangeAction =
  | 'sign_in'
  | 'sign_in_refused'
  | 'sign_out'
  | 'set_status'
  | 'note'
  | 'page_line'
  | 'retry'
  | 'redrive'
  | 'discard'
  | 'discard_waiting'
  | 'test_alert'
  | 'erase'
  | 'revoke';

/** One entry of the audit log. It holds no key of a project, and of an issue's key 16 digits. */
export interface AuditEntry {
  readonly id: number;
  readonly time: string;
  readonly who: string;
  /** Null for `sign_in_refused`: the provider has identified the user, who has no role. */
  readonly role: Role | null;
  readonly action: ReadAction | ChangeAction;
  /** Target of the action: a digest, an event ID, a text to find, …; one issue for each entry of a bulk action. */
  readonly target: string | null;
  /**
   * For `set_status`: old and new status and the project, as `open -> resolved in 1.4.2, sentry.example/42`; for
   * `page_line`: the line, or `removed`; for `sign_in_refused`: the reason.
   */
  readonly detail: string | null;
}

/** Response of `GET /console/api/audit`, newest first, operators only. */
export interface AuditList {
  readonly entries: readonly AuditEntry[];
  readonly next: string | null;
}
