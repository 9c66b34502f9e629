import { createHash, randomBytes } from 'node:crypto';

/** The operator who starts the process reads the link in its terminal at once. */
const VALID_MS = 10 * 60_000;

/**
 * One-time codes of printed sign-in links. A code works once, within ten minutes. Only its hash is kept, and it must
 * never be logged.
 */
export class SignInLinks {
  readonly #validUntilMs = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  mint(): string {
    const code = randomBytes(24).toString('base64url');
    this.#validUntilMs.set(hash(code), this.#now() + VALID_MS);
    return code;
  }

  /** Returns whether a code is valid, and makes it invalid. */
  redeem(code: string): boolean {
    const key = hash(code);
    const validUntilMs = this.#validUntilMs.get(key);
    this.#validUntilMs.delete(key);
    return validUntilMs !== undefined && validUntilMs > this.#now();
  }
}

function hash(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
