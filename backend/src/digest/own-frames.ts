import type { FaultFrame } from './fault.ts';
import { ownPath } from './file-path.ts';

/** A frame as an engine or an SDK wrote it. */
export interface RawFrame {
  /** Path or URL without line and column, or its replacement (`<anonymous>`, `native`). */
  readonly file: string;
  readonly function: string | null;
}

/** Own frames that enter the digest. */
const MAX_OWN_FRAMES = 3;

/** Frames read: `Error.stackTraceLimit` at start, and the limit of Sentry SDKs. */
export const MAX_RAW_FRAMES = 50;

/** Packages that call the application's code for a request or a rendering. */
const CALLERS: ReadonlySet<string> = new Set([
  'express',
  'router',
  'connect',
  'koa',
  'fastify',
  'hono',
  'react-dom',
  'scheduler',
]);
const CALLER_SCOPE = '@nestjs/';
const PACKAGE = /^(?:@[^/]+\/)?[^/]+/;

/** A frame of foreign code; a caller is a framework that calls the application's code. */
export type ForeignFrame = 'foreign' | 'caller';

/** Returns the own frames of JavaScript that locate the fault; see {@link locating}. */
export function ownFrames(raw: Iterable<RawFrame>, root: string): readonly FaultFrame[] {
  return locating(raw, (frame) => scriptFrame(frame, root));
}

/** Normalises a frame of JavaScript. */
export function scriptFrame({ file, function: name }: RawFrame, root: string): FaultFrame | ForeignFrame {
  const path = ownPath(file, root);
  if (path === null) return isCaller(file) ? 'caller' : 'foreign';
  return { file: path, function: functionName(name) };
}

/**
 * Returns the frames that locate the fault: own ones only, consecutive repeats collapsed, at most 3, innermost first.
 *
 * Below an own frame a web framework's frame ends the search. The frames under it are the request's way in (earlier
 * middlewares, an event handler), and V8 shows them only until the handler first awaits: with them one fault would have
 * two digests, one before and one after its first await.
 */
export function locating<Raw>(
  raw: Iterable<Raw>,
  normalised: (frame: Raw) => FaultFrame | ForeignFrame,
): readonly FaultFrame[] {
  const own: FaultFrame[] = [];
  let seen = 0;
  for (const each of raw) {
    if (own.length === MAX_OWN_FRAMES || seen === MAX_RAW_FRAMES) break;
    seen += 1;
    const frame = normalised(each);
    if (frame === 'caller' && own.length > 0) break;
    if (frame === 'caller' || frame === 'foreign') continue;
    const previous = own.at(-1);
    if (previous?.file !== frame.file || previous.function !== frame.function) own.push(frame);
  }
  return own;
}

function isCaller(file: string): boolean {
  const path = file.replaceAll('\\', '/');
  const at = path.lastIndexOf('node_modules/');
  if (at === -1) return false;
  const name = PACKAGE.exec(path.slice(at + 'node_modules/'.length))?.[0] ?? '';
  return CALLERS.has(name) || name.startsWith(CALLER_SCOPE);
}

/** Longest function name that is read; real ones stay below 100. */
const MAX_NAME_LENGTH = 512;

const ALIAS = / \[as .*\]$/;
/** `<anonymous>`, `<computed>`, `<static_initializer>`, `<instance_members_initializer>`, Sentry's `?`. */
const NAMELESS = /(?:<[^<>]*>|\?|^anonymous|^eval|^\(anonymous.*)$/;
const LAST_SEGMENT = /[^\s./*]+$/;
const DECORATION = /^[^\p{L}\p{N}_$]+|[^\p{L}\p{N}_$]+$/gu;

/**
 * Returns the last segment of a function's name, or null where the engine gives none: `async`, `new`, `Object.`,
 * `[as x]` and the class are removed.
 *
 * The class is not stable. It is the receiver's, so a method inherited by `SubShop` is `SubShop.load` in one call and
 * `Shop.load` in another, and only `load` when called detached. Node 26 writes it differently with
 * `--enable-source-maps`: `Shop.get total` for V8's `get total`, `Shop.#sum` for `#sum`, `Shop.[Symbol.iterator]` for
 * `[Symbol.iterator]`, `Object.outer` for `Object.outer [as alias]`, `Init.<instance_members_initializer>` for
 * `<instance_members_initializer>`. The last segment is the same in both; own-frames.spec.ts lists the pairs.
 */
export function functionName(raw: string | null): string | null {
  if (raw === null) return null;
  const name = raw.slice(0, MAX_NAME_LENGTH).trim().replace(ALIAS, '');
  if (NAMELESS.test(name)) return null;
  const last = (LAST_SEGMENT.exec(name)?.[0] ?? '').replace(DECORATION, '');
  return last === '' ? null : last;
}
