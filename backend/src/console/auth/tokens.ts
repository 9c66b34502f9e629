import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type Role, ROLES } from '../../contract/access-api.ts';

const derive = promisify(scrypt) as (password: string, salt: Buffer, length: number) => Promise<Buffer>;
const KEY_BYTES = 32;
/** Threads of Node's pool. More hashes at once would delay file access and name resolution, which use the same pool. */
const MAX_HASHES = 4;

/**
 * The console tokens, one for each role. Checking a guess costs a slow hash, and takes as long for a near miss as for
 * nonsense (threat S7). A token that was right once is recognised by a keyed hash in memory,
 * because each request of an API client would otherwise cost 50 ms of CPU.
 */
export class ConsoleTokens {
  readonly #salt = randomBytes(16);
  readonly #secret = randomBytes(32);
  readonly #tokens: Readonly<Record<Role, string | null>>;
  readonly #keys: readonly (readonly [Role, Promise<Buffer>])[];
  /** Results by keyed hash: right tokens, and tokens whose check is in progress. */
  readonly #checks = new Map<string, Promise<Role | undefined>>();
  #hashes = 0;

  constructor(tokens: Readonly<Record<Role, string | null>>) {
    const set = ROLES.flatMap((role) => {
      const token = tokens[role];
      return token === null ? [] : [[role, derive(token, this.#salt, KEY_BYTES)] as const];
    });
    this.#tokens = tokens;
    this.#keys = set;
  }

  /** Whether at least one token is configured. */
  get isSet(): boolean {
    return this.#keys.length > 0;
  }

  /** Returns whether {@link roleOf} costs nothing: the token was right before, or its check is in progress. */
  isKnown(candidate: string): boolean {
    return this.#checks.has(this.#hash(candidate));
  }

  /** Whether a guess must wait for the checks in progress, of any client. */
  get isBusy(): boolean {
    return this.#hashes >= MAX_HASHES;
  }

  /** Returns the role of a token; undefined for a wrong one. */
  roleOf(candidate: string): Promise<Role | undefined> {
    const hash = this.#hash(candidate);
    const known = this.#checks.get(hash);
    if (known !== undefined) return known;
    const check = this.#compare(candidate);
    this.#checks.set(hash, check);
    void check
      .catch(() => undefined)
      .then((role) => {
        if (role === undefined) this.#checks.delete(hash);
      });
    return check;
  }

  /**
   * Returns the value that binds a session to the role's token with which it started; null for a role without a token.
   * It is the same on every replica and after a restart. Without the session's token it does not help to guess the token.
   */
  proofOf(role: Role, session: string): string | null {
    const token = this.#tokens[role];
    return token === null ? null : createHmac('sha256', token).update(session).digest('hex');
  }

  async #compare(candidate: string): Promise<Role | undefined> {
    this.#hashes += 1;
    const key = await derive(candidate, this.#salt, KEY_BYTES).finally(() => (this.#hashes -= 1));
    let found: Role | undefined;
    // Compares with every token, so that the time does not reveal which one is right.
    for (const [role, right] of this.#keys) if (timingSafeEqual(key, await right)) found = role;
    return found;
  }

  #hash(candidate: string): string {
    return createHmac('sha256', this.#secret).update(candidate).digest('base64');
  }
}
