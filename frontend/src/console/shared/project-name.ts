/**
 * Returns the name of a project for people: the host, with a port if it has one, and the path of its DSN, without the
 * key.
 */
export function projectName(dsn: string): string {
  if (!URL.canParse(dsn)) return dsn;
  const { host, pathname } = new URL(dsn);
  return `${host}${pathname}`;
}
