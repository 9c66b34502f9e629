/** Longer ones are no address of the console's. */
const MAX_LENGTH = 2_048;
const START = '/console';
const ANYWHERE = 'http://console.invalid';

/**
 * Where to go after a sign-in, if it is a page of the console, else its start. An address of another site would make
 * our sign-in a bait for theirs (open redirect).
 */
export function consolePlace(to: unknown): string {
  if (typeof to !== 'string' || to.length > MAX_LENGTH) return START;
  const url = URL.parse(to, ANYWHERE);
  // By the parsed address: browsers read `/\evil.example` and `/\t/evil.example` as another host, too.
  if (url === null || url.origin !== ANYWHERE) return START;
  const { pathname, search, hash } = url;
  const isPage = pathname === START || pathname.startsWith(`${START}/`);
  const isOurs = isPage && !pathname.startsWith(`${START}/api/`) && !pathname.startsWith(`${START}/sign-in`);
  return isOurs ? pathname + search + hash : START;
}
