import { fieldOf } from './thrown-value.ts';

/** Form of an error's own digest and of a reference; any other value is neither shown nor sent. */
const SHOWN = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_CAUSES = 3;

/** Names of the server's failure. */
interface ServerFailure {
  readonly digest: string;
  readonly reference: string | null;
}

/**
 * Returns the digest of the server's failure, and its reference if it is known, that an error of a failed request carries, on
 * itself or on a cause, since code may wrap the error.
 */
export function serverFailure(error: unknown): ServerFailure | null {
  let current = error;
  for (let depth = 0; depth <= MAX_CAUSES; depth += 1) {
    const digest = shown(fieldOf(current, 'digest'));
    if (digest !== null) return { digest, reference: shown(fieldOf(current, 'reference')) };
    current = fieldOf(current, 'cause');
  }
  return null;
}

function shown(value: unknown): string | null {
  return typeof value === 'string' && SHOWN.test(value) ? value : null;
}
