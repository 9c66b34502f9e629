import { createHash, randomBytes } from 'node:crypto';

/** A printed link is for the person who has just started the process. */
const VALID_MS = 10 * 60_000;

/** Codes of printed sign-in links: each good for one exchange within ten minutes, kept as hashes, never logged. */
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

  /** Whether the code is good; it is not any more afterwards. */
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
