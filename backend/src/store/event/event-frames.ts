import type { OriginalFrame } from '../../sourcemap/parsed-script.ts';
import { type Fields, fieldsAt } from '../../digest/fields.ts';
import { exceptionsOf, framesOf, withExceptions } from '../reading/exceptions.ts';

/** Sentry SDKs send 50; a longer stack is cut to its innermost frames. */
const MAX_FRAMES = 100;
/** SDKs send 6 at most. */
const MAX_EXCEPTIONS = 20;
const MAX_FRAMES_WITH_SOURCE = 10;

/** Returns the event with each frame of its stacks changed. Awaits only promises, because frames are many. */
export async function withFrames(
  event: Fields,
  change: (frame: Fields) => Fields | Promise<Fields>,
): Promise<Fields> {
  const exceptions: Fields[] = [];
  for (const exception of exceptionsOf(event).slice(-MAX_EXCEPTIONS))
    exceptions.push(await withStack(exception, change));
  const changed = framesOf(event).length === 0 ? event : await withStack(event, change);
  return withExceptions(changed, exceptions);
}

async function withStack(
  holder: Fields,
  change: (frame: Fields) => Fields | Promise<Fields>,
): Promise<Fields> {
  const frames: Fields[] = [];
  for (const frame of framesOf(holder).slice(-MAX_FRAMES)) {
    const changed = change(frame);
    frames.push(changed instanceof Promise ? await changed : changed);
  }
  return { ...holder, stacktrace: { ...fieldsAt(holder, 'stacktrace'), frames: nearSource(frames) } };
}

/** Removes the source lines of all but the innermost own frames: with all of them an event has ten times its size. */
function nearSource(frames: readonly Fields[]): readonly Fields[] {
  if (frames.every((frame) => frame['mapped'] !== true)) return frames;
  const near = new Set(frames.filter((frame) => frame['in_app'] === true).slice(-MAX_FRAMES_WITH_SOURCE));
  return frames.map((frame) =>
    near.has(frame) || frame['mapped'] !== true
      ? frame
      : { ...frame, pre_context: undefined, context_line: undefined, post_context: undefined },
  );
}

/**
 * Returns a frame at its original position, marked as `mapped`, with `in_app` and its source lines in Sentry's members.
 */
export function mappedFrame(generated: Fields, original: OriginalFrame): Fields {
  const textsOf = (isWanted: (number: number) => boolean): readonly string[] =>
    original.source.filter(({ number }) => isWanted(number)).map(({ text }) => text);
  return {
    filename: original.file,
    function: original.function ?? undefined,
    lineno: original.line,
    colno: original.column,
    in_app: original.isOwn,
    pre_context: textsOf((number) => number < original.line),
    context_line: textsOf((number) => number === original.line)[0],
    post_context: textsOf((number) => number > original.line),
    mapped: true,
    abs_path: generated['abs_path'] ?? generated['filename'],
  };
}
