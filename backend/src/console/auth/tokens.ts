import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Role } from '../../contract/access-api.ts';

const derive = promisify(scrypt) as (password: string, salt: Buffer, length: number) => Promise<Buffer>;
const KEY_BYTES = 32;
/** Threads of Node's pool: what comes beyond would only hold up files and names that wait for the same threads. */
const MAX_HASHES = 4;

/**
 * The tokens that open the console, one for each role. A guess costs a slow hash, and the answer takes as long for a
 * near miss as for nonsense (S18 of the threat list). A token that was right once is known again by a keyed hash in
 * memory: an API client would else cost 50 ms of CPU with each request.
 */
export class ConsoleTokens {
  readonly #salt = randomBytes(16);
  readonly #secret = randomBytes(32);
  readonly #tokens: Readonly<Record<Role, string | null>>;
  readonly #keys: readonly (readonly [Role, Promise<Buffer>])[];
  /** By their keyed hash: those that were right, and those that are being looked at. */
  readonly #looks = new Map<string, Promise<Role | undefined>>();

  #hashes = 0;

  constructor(tokens: Readonly<Record<Role, string | null>>) {
    const set = (['operator', 'support'] as const).flatMap((role) => {
      const token = tokens[role];
      return token === null ? [] : [[role, derive(token, this.#salt, KEY_BYTES)] as const];
    });
    this.#tokens = tokens;
    this.#keys = set;
  }

  /** Whether there is one at all. */
  get isSet(): boolean {
    return this.#keys.length > 0;
  }

  /** Whether {@link roleOf} costs nothing for it: no guess, or one that is being looked at already. */
  isKnown(candidate: string): boolean {
    return this.#looks.has(this.#hash(candidate));
  }

  /** Whether a guess has to wait, as others are being looked at, from wherever they come. */
  get isBusy(): boolean {
    return this.#hashes >= MAX_HASHES;
  }

  /** Whose token it is; undefined: nobody's. */
  roleOf(candidate: string): Promise<Role | undefined> {
    const hash = this.#hash(candidate);
    const known = this.#looks.get(hash);
    if (known !== undefined) return known;
    const look = this.#compare(candidate);
    this.#looks.set(hash, look);
    void look
      .catch(() => undefined)
      .then((role) => {
        if (role === undefined) this.#looks.delete(hash);
      });
    return look;
  }

  /**
   * What a session that a role's token began is bound to it by; null where that role has none. The same on every replica
   * and after a restart, and without the session's own secret it is of no use for guessing the token.
   */
  proofOf(role: Role, session: string): string | null {
    const token = this.#tokens[role];
    return token === null ? null : createHmac('sha256', token).update(session).digest('hex');
  }

  async #compare(candidate: string): Promise<Role | undefined> {
    this.#hashes += 1;
    const key = await derive(candidate, this.#salt, KEY_BYTES).finally(() => (this.#hashes -= 1));
    let found: Role | undefined;
    // All of them, whichever it is: the time must not tell.
    for (const [role, right] of this.#keys) if (timingSafeEqual(key, await right)) found = role;
    return found;
  }

  #hash(candidate: string): string {
    return createHmac('sha256', this.#secret).update(candidate).digest('base64');
  }
}
