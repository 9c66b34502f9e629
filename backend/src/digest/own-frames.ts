import type { FaultFrame } from './fault.ts';
import { ownPath } from './file-path.ts';
import { functionName } from './function-name.ts';

/** A frame as an engine or an SDK wrote it. */
export interface RawFrame {
  /** Path or URL without line and column, or what stands in its place (`<anonymous>`, `native`). */
  readonly file: string;
  readonly function: string | null;
}

/** Own frames that enter the digest (pages.md). */
const MAX_OWN_FRAMES = 3;

/** Frames looked at: `Error.stackTraceLimit` at start, and what Sentry SDKs keep. */
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

/**
 * The frames that name the fault's place: own ones only, normalised, consecutive repeats collapsed, at most 3,
 * innermost first.
 *
 * Below an own frame a web framework's frame ends the search. What lies under it is how the request got in
 * (the middlewares before, an event handler), and V8 shows it only while the handler has not awaited yet: with
 * it, one fault would have two digests, one before and one after its first await.
 */
export function ownFrames(raw: Iterable<RawFrame>, root: string): readonly FaultFrame[] {
  const kept: FaultFrame[] = [];
  let seen = 0;
  for (const { file, function: name } of raw) {
    if (kept.length === MAX_OWN_FRAMES || seen === MAX_RAW_FRAMES) break;
    seen += 1;
    const path = ownPath(file, root);
    if (path === null) {
      if (kept.length > 0 && isCaller(file)) break;
      continue;
    }
    const frame: FaultFrame = { file: path, function: functionName(name) };
    const previous = kept.at(-1);
    if (previous?.file !== frame.file || previous.function !== frame.function) kept.push(frame);
  }
  return kept;
}

function isCaller(file: string): boolean {
  const path = file.replaceAll('\\', '/');
  const at = path.lastIndexOf('node_modules/');
  if (at === -1) return false;
  const name = PACKAGE.exec(path.slice(at + 'node_modules/'.length))?.[0] ?? '';
  return CALLERS.has(name) || name.startsWith(CALLER_SCOPE);
}
