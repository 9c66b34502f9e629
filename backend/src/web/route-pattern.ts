import { decodeSegments } from './url-path.ts';

/** One segment of a pattern; `literal` is null for `:name`, which matches any segment. */
interface Part {
  readonly literal: string | null;
  readonly isOptional: boolean;
}

/** A path pattern of a client: literal segments, `:name`, either with `?` if it may be absent, and `*` for any rest. */
export interface RoutePattern {
  readonly parts: readonly Part[];
  readonly hasRest: boolean;
}

const REST = '*';
const FILE_EXTENSION = /\.[^.]+$/;

/** Parses a pattern. It may have its letters encoded or not; a malformed encoding is plain text. */
export function parsePattern(path: string): RoutePattern {
  const segments = path.split('/').filter((segment) => segment !== '');
  const hasRest = segments.at(-1) === REST;
  const named = hasRest ? segments.slice(0, -1) : segments;
  const decoded = decodeSegments(`/${named.join('/')}`) ?? named;
  return { parts: named.map((segment, index) => partOf(segment, decoded[index] ?? segment)), hasRest };
}

function partOf(segment: string, decoded: string): Part {
  const isOptional = segment.length > 1 && segment.endsWith('?');
  if (segment.startsWith(':')) return { literal: null, isOptional };
  return { literal: isOptional ? decoded.slice(0, -1) : decoded, isOptional };
}

/** Returns whether a pattern matches paths that it does not name. */
export function isOpen({ parts, hasRest }: RoutePattern): boolean {
  return hasRest || parts.some(({ literal }) => literal === null);
}

/** Returns whether a pattern matches a path. @param segments decoded, without the empty one of a trailing slash. */
export function matchesPattern({ parts, hasRest }: RoutePattern, segments: readonly string[]): boolean {
  const [part, ...others] = parts;
  if (part === undefined) return segments.length === 0 || (hasRest && isPagePath(segments));
  if (part.isOptional && matchesPattern({ parts: others, hasRest }, segments)) return true;
  const [segment, ...rest] = segments;
  if (segment === undefined || segment === '' || (part.literal !== null && part.literal !== segment))
    return false;
  return matchesPattern({ parts: others, hasRest }, rest);
}

/**
 * Returns whether a path can be a page that only the client knows. A last segment with an extension is a missing file: a
 * browser that gets a page for it fails with `Unexpected token '<'`. A name with a dot at its start is never a page.
 */
function isPagePath(segments: readonly string[]): boolean {
  const isNamed = segments.every((segment) => segment !== '' && !segment.startsWith('.'));
  return isNamed && !FILE_EXTENSION.test(segments.at(-1) ?? '');
}
