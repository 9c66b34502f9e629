import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type Role, ROLES } from '../../contract/access-api.ts';
import { senderNetwork } from '../../net/client-address.ts';
import { RecentMap } from '../../time/recent-map.ts';
import { Semaphore } from '../../time/semaphore.ts';

type Derive = (password: string, salt: Buffer, length: number) => Promise<Buffer>;
const KEY_BYTES = 32;
/** Hashes at once: half of the threads of Node's pool, which also read files, compress and resolve names. */
const MAX_HASHES = 2;
/** Guesses that wait for a hash, half a second: two people who mistype do not refuse a third, and a flood cannot queue up. */
const MAX_WAITING = 16;
/** Networks in memory from which a token was right. Only holders of a token add one. */
const MAX_NETWORKS = 10_000;

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
  /** Right tokens by keyed hash, each with a network that has sent it. */
  readonly #networks = new RecentMap<string, true>(MAX_NETWORKS);
  readonly #hashing = new Semaphore(MAX_HASHES);
  /** Hashes in progress, and guesses that wait for one. */
  #hashes = 0;
  readonly #derive: Derive;

  /** @param derive the slow hash. */
  constructor(tokens: Readonly<Record<Role, string | null>>, derive: Derive = promisify(scrypt) as Derive) {
    const set = ROLES.flatMap((role) => {
      const token = tokens[role];
      return token === null ? [] : [[role, derive(token, this.#salt, KEY_BYTES)] as const];
    });
    this.#derive = derive;
    this.#tokens = tokens;
    this.#keys = set;
  }

  /** Whether at least one token is configured. */
  get isSet(): boolean {
    return this.#keys.length > 0;
  }

  /**
   * Returns whether the token was right before from the network of this address. Only then it is no guess: limits that let
   * every right token pass would tell right from wrong, and limit nothing.
   */
  isKnown(candidate: string, address: string): boolean {
    return this.#networks.has(this.#hash(candidate) + senderNetwork(address));
  }

  /**
   * Whether no token can be checked now, because too many guesses wait, of any client. It holds for every token: a right one
   * that passes would tell it from a wrong one, which costs no attempt then.
   */
  get isBusy(): boolean {
    return this.#hashes >= MAX_HASHES + MAX_WAITING;
  }

  /** Returns the role of a token; undefined for a wrong one. @param address of the client that has sent it. */
  async roleOf(candidate: string, address: string): Promise<Role | undefined> {
    const hash = this.#hash(candidate);
    const role = await (this.#checks.get(hash) ?? this.#check(candidate, hash));
    if (role !== undefined) this.#networks.set(hash + senderNetwork(address), true);
    return role;
  }

  /**
   * Returns the value that binds a session to the role's token with which it started; null for a role without a token.
   * It is the same on every replica and after a restart. Without the session's token it does not help to guess the token.
   */
  proofOf(role: Role, session: string): string | null {
    const token = this.#tokens[role];
    return token === null ? null : createHmac('sha256', token).update(session).digest('hex');
  }

  #check(candidate: string, hash: string): Promise<Role | undefined> {
    const check = this.#compare(candidate);
    this.#checks.set(hash, check);
    void check
      .catch(() => undefined)
      .then((role) => {
        if (role === undefined) this.#checks.delete(hash);
      });
    return check;
  }

  async #compare(candidate: string): Promise<Role | undefined> {
    this.#hashes += 1;
    const key = await this.#hashing
      .run(() => this.#derive(candidate, this.#salt, KEY_BYTES))
      .finally(() => (this.#hashes -= 1));
    let found: Role | undefined;
    // Compares with every token, so that the time does not reveal which one is right.
    for (const [role, right] of this.#keys) if (timingSafeEqual(key, await right)) found = role;
    return found;
  }

  #hash(candidate: string): string {
    return createHmac('sha256', this.#secret).update(candidate).digest('base64');
  }
}
