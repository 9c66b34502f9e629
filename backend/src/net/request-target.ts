/** Scheme and host of a request target in absolute form. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i;

/**
 * Returns a request target with its path first: `/tunnel?a=1` for `http://errata.example/tunnel?a=1`. A server must accept
 * the absolute form, which clients send to a proxy (RFC 9112, section 3.2.2).
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(ORIGIN, '');
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`;
}
