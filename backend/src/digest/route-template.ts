/** Longest path that is read, and longest template. */
const MAX_PATH_LENGTH = 2_048;
const MAX_TEMPLATE_LENGTH = 200;

const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;
/** Ids without a digit: hexadecimal ones, and long mixed-case ones (base64url). */
const HEX = /^[a-f]{8,}$/i;
const OPAQUE = /^(?=.*[a-z])(?=.*[A-Z])[A-Za-z_-]{20,}$/;
const VARIABLE = /[\p{Nd}@%*:]/u;

/**
 * Guesses the route of a path or URL where no router names it: segments with a digit, ids and encoded text become `<n>`;
 * origin, query, fragment and a trailing slash are removed. `/orders/4711/items?x=1` is `/orders/<n>/items`.
 */
export function routeTemplate(path: string): string {
  const bare = path
    .slice(0, MAX_PATH_LENGTH)
    .replace(ORIGIN, '')
    .replace(/[?#].*$/s, '');
  const segments = bare.split('/').filter((segment) => segment !== '');
  return `/${segments.map(template).join('/')}`.slice(0, MAX_TEMPLATE_LENGTH);
}

function template(segment: string): string {
  return VARIABLE.test(segment) || HEX.test(segment) || OPAQUE.test(segment) ? '<n>' : segment;
}
