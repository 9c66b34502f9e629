import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Role, SessionSummary, SessionWay, SignIn, SignInWay } from '../../contract/access-api.ts';
import type { EventStore } from '../../store/event-store.ts';
import type { ProcedureResult } from '../../store/procedures.ts';
import type { Principal } from './principal.ts';
import type { SignInLinks } from './sign-in-links.ts';
import type { ConsoleTokens } from './tokens.ts';
import { isoTime } from '../../time/iso.ts';

export interface SessionLimits {
  readonly idleMs: number;
  readonly maxMs: number;
}

/** The configured ways to sign in. */
export interface SignInMethods {
  readonly tokens: ConsoleTokens;
  readonly links: SignInLinks;
  /** Whether an OpenID Connect provider is configured. */
  readonly hasProvider: boolean;
}

/** A user or a role that has just been authenticated. */
export interface Identity {
  readonly who: string;
  readonly role: Role;
  readonly way: SessionWay;
}

/** A session that has just started; only its browser knows `token`. */
export interface NewSession {
  readonly token: string;
  readonly principal: Principal;
}

const BUSY_MS = 1_000;
/** A session's last use is written at most this often, so that reads do not turn into writes. */
const TOUCH_EVERY_MS = 60_000;

/**
 * The console's sessions. The console is closed while neither a token nor a provider is configured. A sign-in creates a
 * random session token of which only the hash is stored, so that neither the database nor a backup can open the console.
 */
export class Sessions {
  readonly #methods: SignInMethods;
  readonly #store: EventStore;
  readonly #limits: SessionLimits;

  constructor(methods: SignInMethods, store: EventStore, limits: SessionLimits) {
    this.#methods = methods;
    this.#store = store;
    this.#limits = limits;
  }

  get ways(): readonly SignInWay[] {
    const { tokens, hasProvider } = this.#methods;
    return [...(tokens.isSet ? (['token'] as const) : []), ...(hasProvider ? (['oidc'] as const) : [])];
  }

  get isOpen(): boolean {
    return this.ways.length > 0;
  }

  /**
   * Starts a session; undefined when token or code are wrong. A user with a printed link has read the process's
   * terminal, and is an operator.
   */
  async signIn(credential: SignIn, address: string, nowMs: number): Promise<NewSession | undefined> {
    if ('token' in credential) {
      const role = await this.#methods.tokens.roleOf(credential.token, address);
      return role === undefined ? undefined : this.start({ who: role, role, way: 'token' }, nowMs);
    }
    if (!this.#methods.links.redeem(credential.code)) return undefined;
    return this.start({ who: 'operator', role: 'operator', way: 'link' }, nowMs);
  }

  /** Starts a session with a new token: a session planted in the browser before is useless (fixation, threat S6). */
  async start({ who, role, way }: Identity, nowMs: number): Promise<NewSession> {
    const token = randomBytes(32).toString('base64url');
    const id = randomUUID();
    const times = { createdAtMs: nowMs, lastSeenAtMs: nowMs };
    const tokenProof = way === 'token' ? this.#methods.tokens.proofOf(role, token) : null;
    await this.#store.ask('saveSession', {
      tokenHash: hash(token),
      id,
      who,
      role,
      way,
      tokenProof,
      ...times,
    });
    return { token, principal: { who, role, session: { id, way } } };
  }

  /** Returns whether a console token is no guess: it was right before from the network of this address. */
  isKnown(token: string, address: string): boolean {
    return this.#methods.tokens.isKnown(token, address);
  }

  /** Returns how long a console token must wait while too many guesses wait for their slow hash, otherwise 0. */
  get busyMs(): number {
    return this.#methods.tokens.isBusy ? BUSY_MS : 0;
  }

  /** Returns the principal of a console token in `Authorization: Bearer`. */
  async bearer(token: string, address: string): Promise<Principal | undefined> {
    const role = await this.#methods.tokens.roleOf(token, address);
    return role === undefined ? undefined : { who: role, role, session: null };
  }

  /**
   * Returns the principal of a session. Undefined for a session that is unknown, idle for too long, too old, or started
   * with a console token that has changed since.
   *
   * @param isUse false for requests that an open page repeats by itself: they must not keep its session from going idle.
   */
  async principal(token: string, nowMs: number, isUse = true): Promise<Principal | undefined> {
    const known = await this.#store.ask('session', hash(token));
    if (known === undefined) return undefined;
    const { tokenHash, id, who, role, way, lastSeenAtMs } = known;
    if (this.#isOver(known, token, nowMs)) {
      await this.#store.ask('deleteSession', tokenHash);
      return undefined;
    }
    if (isUse && nowMs - lastSeenAtMs > TOUCH_EVERY_MS)
      await this.#store.ask('touchSession', tokenHash, nowMs);
    return { who, role, session: { id, way } };
  }

  async signOut(token: string): Promise<void> {
    await this.#store.ask('deleteSession', hash(token));
  }

  /** Returns the sessions that a principal may see and revoke, newest first. Operators see all. */
  async list(principal: Principal, nowMs: number): Promise<readonly SessionSummary[]> {
    const { idleMs, maxMs } = this.#limits;
    const all = await this.#store.ask('sessions', {
      usedSinceMs: nowMs - idleMs,
      begunSinceMs: nowMs - maxMs,
    });
    return all
      .map(({ id, who, role, way, createdAtMs, lastSeenAtMs }) => ({
        id,
        who,
        role,
        way,
        created: isoTime(createdAtMs),
        lastSeen: isoTime(lastSeenAtMs),
        own: id === principal.session?.id,
      }))
      .filter((session) => mayRevoke(principal, session));
  }

  /** Returns the session with this id, if the principal may revoke it. */
  async revocable(principal: Principal, id: string, nowMs: number): Promise<SessionSummary | undefined> {
    return (await this.list(principal, nowMs)).find((session) => session.id === id);
  }

  /** Ends a session at once: its next request gets 401. */
  async revoke(id: string): Promise<void> {
    await this.#store.ask('deleteSessionById', id);
  }

  /** A leaked console token is changed in the settings: that ends every session which started with the old one. */
  #isOver(known: KnownSession, token: string, nowMs: number): boolean {
    const { lastSeenAtMs, createdAtMs, role, way, tokenProof } = known;
    if (way === 'token' && tokenProof !== this.#methods.tokens.proofOf(role, token)) return true;
    return nowMs - lastSeenAtMs > this.#limits.idleMs || nowMs - createdAtMs > this.#limits.maxMs;
  }
}

type KnownSession = NonNullable<ProcedureResult<'session'>>;

/**
 * Operators may revoke every session, others their own and those of the same user at the provider. A console token
 * names a role and no user, so its other holders must not be signed out by it.
 */
function mayRevoke({ who, role, session: own }: Principal, session: SessionSummary): boolean {
  if (role === 'operator' || session.own) return true;
  return own?.way === 'oidc' && session.way === 'oidc' && session.who === who;
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
