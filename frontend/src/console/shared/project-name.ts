/** A project in words, out of its DSN: what stands behind the key. */
export function projectName(dsn: string): string {
  if (!URL.canParse(dsn)) return dsn;
  const { host, pathname } = new URL(dsn);
  return `${host}${pathname}`;
}
