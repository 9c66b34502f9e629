import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { SignIn } from '../contract/access-api.ts';
import type { EventStore } from '../store/event-store.ts';
import type { ConsoleToken } from './console-token.ts';
import type { OneTimeCodes } from './one-time-codes.ts';

export interface SessionLimits {
  readonly idleMs: number;
  readonly maxMs: number;
}

/** A session is noted as used at most this often, so that reading does not turn into writing. */
const TOUCH_EVERY_MS = 60_000;

/**
 * Who may look. Closed as long as no token is set; a sign-in makes a random session whose hash is stored, so that
 * neither database nor backup holds anything that opens the console.
 */
export class Access {
  readonly #token: ConsoleToken | null;
  readonly #codes: OneTimeCodes;
  readonly #store: EventStore;
  readonly #limits: SessionLimits;

  constructor(token: ConsoleToken | null, codes: OneTimeCodes, store: EventStore, limits: SessionLimits) {
    this.#token = token;
    this.#codes = codes;
    this.#store = store;
    this.#limits = limits;
  }

  get isOpen(): boolean {
    return this.#token !== null;
  }

  /** A new session's token, or undefined when token or code are wrong. */
  async signIn(credential: SignIn, nowMs: number): Promise<string | undefined> {
    const isRight =
      'code' in credential ? this.#codes.redeem(credential.code) : await this.matches(credential.token);
    if (!isRight) return undefined;
    const session = randomBytes(32).toString('base64url');
    await this.#store.ask('saveSession', {
      tokenHash: hash(session),
      id: randomUUID(),
      who: 'operator',
      role: 'operator',
      way: 'code' in credential ? 'link' : 'token',
      createdAtMs: nowMs,
      lastSeenAtMs: nowMs,
    });
    return session;
  }

  /** Whether this is the console's token; for `Authorization: Bearer`. */
  async matches(token: string): Promise<boolean> {
    return this.#token !== null && (await this.#token.matches(token));
  }

  /** Whether a session is known and neither idle for too long nor too old. */
  async isSignedIn(session: string, nowMs: number): Promise<boolean> {
    const known = await this.#store.ask('session', hash(session));
    if (known === undefined) return false;
    const isOver =
      nowMs - known.lastSeenAtMs > this.#limits.idleMs || nowMs - known.createdAtMs > this.#limits.maxMs;
    if (isOver) await this.#store.ask('deleteSession', known.tokenHash);
    else if (nowMs - known.lastSeenAtMs > TOUCH_EVERY_MS)
      await this.#store.ask('touchSession', known.tokenHash, nowMs);
    return !isOver;
  }

  async signOut(session: string): Promise<void> {
    await this.#store.ask('deleteSession', hash(session));
  }
}

function hash(session: string): string {
  return createHash('sha256').update(session).digest('hex');
}
