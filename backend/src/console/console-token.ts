import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(scrypt) as (password: string, salt: Buffer, length: number) => Promise<Buffer>;
const KEY_BYTES = 32;

/**
 * The token that opens the console. A guess costs a slow hash, and the answer takes as long for a near miss as for
 * nonsense (S18 of the threat list).
 */
export class ConsoleToken {
  readonly #salt = randomBytes(16);
  readonly #key: Promise<Buffer>;

  constructor(token: string) {
    this.#key = derive(token, this.#salt, KEY_BYTES);
  }

  async matches(candidate: string): Promise<boolean> {
    return timingSafeEqual(await derive(candidate, this.#salt, KEY_BYTES), await this.#key);
  }
}
