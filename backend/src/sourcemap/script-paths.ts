/** Folders a script lies in; a hostile URL has a thousand. */
const MAX_DEPTH = 10;

/**
 * What may be a script's path below its client, the longest first: the client may be served below any path, so that
 * leading segments of the URL may be too many.
 */
export function scriptPathsIn(url: string): readonly string[] {
  const segments = (URL.parse(url)?.pathname ?? '').split('/').slice(-MAX_DEPTH);
  return segments.map((_, index) => segments.slice(index).join('/')).filter((path) => path !== '');
}

/** A debug id as it is compared: bundlers and SDKs write it with hyphens or without, in either case. */
export function bareDebugId(debugId: string): string {
  return debugId.toLowerCase().replaceAll('-', '');
}
