/** The form in which an error's own digest is kept (pages.md); anything else is not shown and not sent. */
const OWN_DIGEST = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_CAUSES = 3;

/**
 * The server's digest an error carries, if it came from a failed request: on itself or on one of its causes, for
 * code that wraps the failure in an error of its own.
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
