import type { Reservation } from './body-memory.ts';

/** A decoded request body, or the reason for its rejection. */
export type ReadBody =
  | { readonly outcome: 'ok'; readonly bytes: Buffer }
  | {
      readonly outcome: 'too_large' | 'coding' | 'malformed' | 'aborted' | 'timeout' | 'unavailable';
      readonly detail: string;
    };

/** Rejection of a body for which there is no memory. */
export const NO_MEMORY = {
  outcome: 'unavailable',
  detail: 'too many requests in progress; try again later',
} as const;

export function tooLarge(maxBytes: number): ReadBody {
  return { outcome: 'too_large', detail: `body exceeds ${maxBytes} bytes` };
}

/** What is known of a body, and what else its reservation pays for. */
export interface BodyParts {
  /** Length that the client declared; null without one. */
  readonly declaredBytes?: number | null;
  /** Bytes of the same request that stay in memory beside this body. */
  readonly heldBytes?: number;
}

/**
 * Collects the chunks of a body; after a rejection it drops further ones.
 *
 * With a declared length each chunk is copied into one buffer as it arrives: chunks kept until the end and their copy
 * would need twice the reserved memory.
 */
export class BodyBuffer {
  readonly #maxBytes: number;
  readonly #reservation: Reservation;
  readonly #declaredBytes: number | null;
  readonly #heldBytes: number;
  #chunks: Buffer[] | undefined;
  #whole: Buffer | undefined;
  #length = 0;

  constructor(
    maxBytes: number,
    reservation: Reservation,
    { declaredBytes = null, heldBytes = 0 }: BodyParts = {},
  ) {
    this.#maxBytes = maxBytes;
    this.#reservation = reservation;
    this.#declaredBytes = declaredBytes;
    this.#heldBytes = heldBytes;
  }

  /** Adds a chunk, or returns the reason for the rejection of the body. */
  add(chunk: Buffer): ReadBody | undefined {
    const start = this.#length;
    this.#length += chunk.length;
    const isOver = this.#length > this.#maxBytes;
    if (!isOver && this.#reservation.growTo(this.#heldBytes + this.#length)) {
      if (chunk.length === this.#declaredBytes) this.#whole = chunk;
      else if (this.#declaredBytes === null) (this.#chunks ??= []).push(chunk);
      else this.#copy(chunk, start, this.#declaredBytes);
      return undefined;
    }
    this.#chunks = undefined;
    this.#whole = undefined;
    return isOver ? tooLarge(this.#maxBytes) : NO_MEMORY;
  }

  joined(): Buffer {
    return this.#whole ?? Buffer.concat(this.#chunks ?? [], this.#length);
  }

  #copy(chunk: Buffer, start: number, declaredBytes: number): void {
    // Uninitialised memory is safe: Node ends a request without `end` when its body is shorter than declared.
    this.#whole ??= Buffer.allocUnsafeSlow(declaredBytes);
    chunk.copy(this.#whole, start);
  }
}
