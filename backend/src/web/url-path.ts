/**
 * Decodes the segments of a URL path, each once, so that `%2F` never separates segments and `%252F` stays `%2F`.
 * Returns undefined when an encoding is malformed.
 */
export function decodeSegments(urlPath: string): readonly string[] | undefined {
  try {
    return urlPath.split('/').slice(1).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
