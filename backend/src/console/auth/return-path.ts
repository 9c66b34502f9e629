/** No page of the console has a longer URL. */
const MAX_LENGTH = 2_048;
const START = '/console';
const BASE = 'http://console.invalid';

/**
 * Returns the path to go to after a sign-in: the wanted one, if it is a page of the console, otherwise the start page.
 * The URL of another site would let an attacker use this sign-in for phishing (open redirect).
 */
export function returnPath(wanted: unknown): string {
  if (typeof wanted !== 'string' || wanted.length > MAX_LENGTH) return START;
  const url = URL.parse(wanted, BASE);
  // Compares the parsed URL: browsers read `/\evil.example` and `/\t/evil.example` as another host, too.
  if (url === null || url.origin !== BASE) return START;
  const { pathname, search, hash } = url;
  const isPage = pathname === START || pathname.startsWith(`${START}/`);
  const isOurs = isPage && !pathname.startsWith(`${START}/api/`) && !pathname.startsWith(`${START}/sign-in`);
  return isOurs ? pathname + search + hash : START;
}
