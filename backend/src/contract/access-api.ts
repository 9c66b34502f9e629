/** Who may look and who may change: sessions, roles, and the audit log. Times are ISO 8601 in UTC. */

export const CONSOLE_SESSION_PATH = '/console/api/session';
export const CONSOLE_SESSIONS_PATH = '/console/api/sessions';
export const CONSOLE_AUDIT_PATH = '/console/api/audit';
/** Where a browser is sent to sign in by OpenID Connect; `?to=` is the console's page to come back to. */
export const CONSOLE_OIDC_START_PATH = '/console/api/oidc/start';
export const CONSOLE_OIDC_RETURN_PATH = '/console/api/oidc/return';

/** `support` finds and reads; `operator` also changes. */
export type Role = 'support' | 'operator';

/** Answer of `GET /console/api/session`. */
export interface SessionState {
  readonly signedIn: boolean;
  /** Whether there is a way to sign in at all; without one the console is closed. */
  readonly open: boolean;
  readonly ways: readonly SignInWay[];
  /** Who is signed in: a name for people, as the audit log has it. */
  readonly who: string | null;
  readonly role: Role | null;
}

export type SignInWay = 'token' | 'oidc';

/**
 * Why a sign-in by OpenID Connect came to nothing, as `?problem=` of the sign-in page says it: the provider or the
 * person refused; the provider knows the person, who is on no list; the provider cannot be reached; it took longer than
 * ten minutes, or was begun in another tab; the console was reached by plain http; too many tries in a minute.
 */
export type SignInProblem = 'refused' | 'no_access' | 'unreachable' | 'expired' | 'plain_http' | 'too_many';

/** How a session came about; `link`: the one-time link that a start prints. */
export type SessionWay = SignInWay | 'link';

/** Body of `POST /console/api/session`: a token, or the one-time code of a printed link. */
export type SignIn = { readonly token: string } | { readonly code: string };

/** A signed-in browser. */
export interface SessionSummary {
  /** Public: it names the session and opens nothing. */
  readonly id: string;
  readonly who: string;
  readonly role: Role;
  readonly way: SessionWay;
  readonly created: string;
  readonly lastSeen: string;
  /** Whether it is the one that asks. */
  readonly own: boolean;
}

/** Answer of `GET /console/api/sessions`: an operator's shows all, another's its own. Revoked by `DELETE …/:id`. */
export interface SessionList {
  readonly sessions: readonly SessionSummary[];
}

/** One thing somebody did. */
export interface AuditEntry {
  readonly id: number;
  readonly time: string;
  readonly who: string;
  readonly role: Role;
  /** `sign_in`, `sign_out`, `find`, `look_up`, `download`, `set_status`, `note`, `redrive`, `discard`, `erase`, `revoke`. */
  readonly action: string;
  /** What it was done to: a digest, an event id, a pasted text, … */
  readonly target: string | null;
  readonly detail: string | null;
}

/** Answer of `GET /console/api/audit`, newest first, operators only. */
export interface AuditList {
  readonly entries: readonly AuditEntry[];
  readonly next: string | null;
}
