/** Form of an error's own digest; any other value is neither shown nor sent. */
const OWN_DIGEST = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_CAUSES = 3;

/**
 * Returns the server's digest that an error of a failed request carries, on itself or on a cause, since code may wrap
 * the error.
 */
export function serverDigest(error: unknown): string | null {
  let current = error;
  for (let depth = 0; depth <= MAX_CAUSES; depth += 1) {
    if (typeof current !== 'object' || current === null) return null;
    if ('digest' in current && typeof current.digest === 'string' && OWN_DIGEST.test(current.digest)) {
      return current.digest;
    }
    current = 'cause' in current ? current.cause : null;
  }
  return null;
}
