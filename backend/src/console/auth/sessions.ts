import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Role, SessionSummary, SessionWay, SignIn, SignInWay } from '../../contract/access-api.ts';
import type { EventStore, StoreAnswer } from '../../store/event-store.ts';
import type { ConsoleTokens } from './tokens.ts';
import type { SignInLinks } from './sign-in-links.ts';
import type { Principal } from './principal.ts';

export interface SessionLimits {
  readonly idleMs: number;
  readonly maxMs: number;
}

/** What opens the console. */
export interface Keys {
  readonly tokens: ConsoleTokens;
  readonly codes: SignInLinks;
  /** Whether a provider of OpenID Connect signs people in. */
  readonly hasProvider: boolean;
}

/** Who signs in, and by what. */
export interface Person {
  readonly who: string;
  readonly role: Role;
  readonly way: SessionWay;
}

/** A session that has just begun; `token` is known to its browser alone. */
export interface NewSession {
  readonly token: string;
  readonly visitor: Principal;
}

const BUSY_MS = 1_000;
/** A session is noted as used at most this often, so that reading does not turn into writing. */
const TOUCH_EVERY_MS = 60_000;

/**
 * Who may look. Closed as long as neither token nor provider is set; a sign-in makes a random session whose hash is
 * stored, so that neither database nor backup holds anything that opens the console.
 */
export class Sessions {
  readonly #keys: Keys;
  readonly #store: EventStore;
  readonly #limits: SessionLimits;

  constructor(keys: Keys, store: EventStore, limits: SessionLimits) {
    this.#keys = keys;
    this.#store = store;
    this.#limits = limits;
  }

  get ways(): readonly SignInWay[] {
    const { tokens, hasProvider } = this.#keys;
    return [...(tokens.isSet ? (['token'] as const) : []), ...(hasProvider ? (['oidc'] as const) : [])];
  }

  get isOpen(): boolean {
    return this.ways.length > 0;
  }

  /** Undefined when token or code are wrong. Who holds a printed link has the process's terminal: an operator. */
  async signIn(credential: SignIn, nowMs: number): Promise<NewSession | undefined> {
    if ('token' in credential) {
      const role = await this.#keys.tokens.roleOf(credential.token);
      return role === undefined ? undefined : this.begin({ who: role, role, way: 'token' }, nowMs);
    }
    if (!this.#keys.codes.redeem(credential.code)) return undefined;
    return this.begin({ who: 'operator', role: 'operator', way: 'link' }, nowMs);
  }

  /** A session of its own for each sign-in: one that was planted in the browser before is worth nothing (S17). */
  async begin({ who, role, way }: Person, nowMs: number): Promise<NewSession> {
    const token = randomBytes(32).toString('base64url');
    const id = randomUUID();
    const times = { createdAtMs: nowMs, lastSeenAtMs: nowMs };
    const tokenProof = way === 'token' ? this.#keys.tokens.proofOf(role, token) : null;
    await this.#store.ask('saveSession', {
      tokenHash: hash(token),
      id,
      who,
      role,
      way,
      tokenProof,
      ...times,
    });
    return { token, visitor: { who, role, session: { id, way } } };
  }

  /** Whether a token costs nothing to look at; else it is an attempt. */
  isKnown(token: string): boolean {
    return this.#keys.tokens.isKnown(token);
  }

  /** How long a token is to wait that costs something: while many guess at once each costs a slow hash. */
  busyMs(token: string): number {
    return this.#keys.tokens.isBusy && !this.isKnown(token) ? BUSY_MS : 0;
  }

  /** Whose token of `Authorization: Bearer` it is. */
  async bearer(token: string): Promise<Principal | undefined> {
    const role = await this.#keys.tokens.roleOf(token);
    return role === undefined ? undefined : { who: role, role, session: null };
  }

  /** Whose session it is; undefined when it is not known, idle for too long, too old, or of a token of before. */
  async visitor(session: string, nowMs: number): Promise<Principal | undefined> {
    const known = await this.#store.ask('session', hash(session));
    if (known === undefined) return undefined;
    const { tokenHash, id, who, role, way, lastSeenAtMs } = known;
    if (this.#isOver(known, session, nowMs)) {
      await this.#store.ask('deleteSession', tokenHash);
      return undefined;
    }
    if (nowMs - lastSeenAtMs > TOUCH_EVERY_MS) await this.#store.ask('touchSession', tokenHash, nowMs);
    return { who, role, session: { id, way } };
  }

  /** The same without being a use of it: a page that only listens must not keep its session from going idle. */
  async isStillSignedIn(session: string, nowMs: number): Promise<boolean> {
    const known = await this.#store.ask('session', hash(session));
    return known !== undefined && !this.#isOver(known, session, nowMs);
  }

  async signOut(session: string): Promise<void> {
    await this.#store.ask('deleteSession', hash(session));
  }

  /** Sessions the visitor may see and end, the newest first: an operator's are all. */
  async sessions(visitor: Principal, nowMs: number): Promise<readonly SessionSummary[]> {
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
        created: new Date(createdAtMs).toISOString(),
        lastSeen: new Date(lastSeenAtMs).toISOString(),
        own: id === visitor.session?.id,
      }))
      .filter((session) => mayEnd(visitor, session));
  }

  /** The session of this id, if it is one the visitor may end. */
  async endable(visitor: Principal, id: string, nowMs: number): Promise<SessionSummary | undefined> {
    return (await this.sessions(visitor, nowMs)).find((session) => session.id === id);
  }

  /** Ends a session at once: its next request is none of anybody's. */
  async revoke(id: string): Promise<void> {
    await this.#store.ask('deleteSessionById', id);
  }

  /** A token that has leaked is changed in the settings: what was begun with it ends with it. */
  #isOver(known: Known, session: string, nowMs: number): boolean {
    const { lastSeenAtMs, createdAtMs, role, way, tokenProof } = known;
    if (way === 'token' && tokenProof !== this.#keys.tokens.proofOf(role, session)) return true;
    return nowMs - lastSeenAtMs > this.#limits.idleMs || nowMs - createdAtMs > this.#limits.maxMs;
  }
}

type Known = NonNullable<StoreAnswer<'session'>>;

/**
 * Operators all; others the one that asks, and those of the same person. A token names a role and no person: whoever
 * else holds it is not to be thrown out.
 */
function mayEnd({ who, role, session: own }: Principal, session: SessionSummary): boolean {
  if (role === 'operator' || session.own) return true;
  return own?.way === 'oidc' && session.way === 'oidc' && session.who === who;
}

function hash(session: string): string {
  return createHash('sha256').update(session).digest('hex');
}
