/** Returns the name of a project for people: its DSN's host, with a port if it has one, and path, without the key. */
export function projectName(dsn: string): string {
  if (!URL.canParse(dsn)) return dsn;
  const { host, pathname } = new URL(dsn);
  return `${host}${pathname}`;
}

/** Characters of a key that tell apart two DSNs of one project. The keys of DSNs are no secret. */
const KEY_START = 8;

/** Returns the beginning of a DSN's key. */
export function keyStart(dsn: string): string {
  return URL.parse(dsn)?.username.slice(0, KEY_START) ?? '';
}
