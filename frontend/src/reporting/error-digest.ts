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
    if (typeof current !== 'object' || current === null) return null;
    const digest = 'digest' in current ? shown(current.digest) : null;
    if (digest !== null)
      return { digest, reference: 'reference' in current ? shown(current.reference) : null };
    current = 'cause' in current ? current.cause : null;
  }
  return null;
}

function shown(value: unknown): string | null {
  return typeof value === 'string' && SHOWN.test(value) ? value : null;
}
