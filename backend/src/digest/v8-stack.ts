import type { RawFrame } from './own-frames.ts';

/** A longer line is not a real frame. */
const MAX_LINE_LENGTH = 4_096;

const FRAME_LINE = /^\s*at (\S.*)$/;
/** End of the first frame; prose after `at ` does not end so. */
const FRAME_END = /(?::\d+\)?|\((?:<anonymous>|native|index \d+)\))$/;
/** Start of a frame's place; directories with ` (` in their names and methods named `x (y` exist. */
const PLACE = / \((?=[a-z][a-z\d+.-]*:|[\\/]|eval at |<anonymous>|native\)|index \d)/i;
const LINE_AND_COLUMN = /:\d+(?::\d+)?$/;

/**
 * Yields the frames of a V8 stack string (https://v8.dev/docs/stack-trace-api), innermost first.
 *
 * The header (`Name: message`) is removed by the message's exact text before any line is read, so that a message with
 * lines such as `    at admin (/app/src/a.ts:1:1)` cannot forge frames. Lines after the first run of frames (stacks of
 * causes that libraries append) are ignored.
 */
export function* v8Frames(stack: string, message: string): Generator<RawFrame> {
  let isInside = false;
  for (const line of linesOf(stack, headerEnd(stack, message))) {
    const body = line.length > MAX_LINE_LENGTH ? undefined : FRAME_LINE.exec(line)?.[1];
    if (body !== undefined && (isInside || FRAME_END.test(body))) {
      isInside = true;
      yield frameOf(body);
    } else if (isInside) return;
  }
}

/** Returns the end of the message in the stack; 0 when it is not there (it was changed after construction). */
export function headerEnd(stack: string, message: string): number {
  const at = message === '' ? -1 : stack.indexOf(message);
  return at === -1 || stack.slice(0, at).includes('\n') ? 0 : at + message.length;
}

function* linesOf(text: string, from: number): Generator<string> {
  let start = from;
  while (start <= text.length) {
    const end = text.indexOf('\n', start);
    yield text.slice(start, end === -1 ? text.length : end);
    if (end === -1) return;
    start = end + 1;
  }
}

/** Reads `name (place)` or `place`. The place of evaluated code is that of the `eval` call, and not a file. */
function frameOf(body: string): RawFrame {
  if (!body.endsWith(')')) return { file: placeOf(body.replace(/^async /, '')), function: null };
  const at = PLACE.exec(body)?.index ?? body.indexOf(' (');
  if (at === -1) return { file: '<anonymous>', function: null };
  return { file: placeOf(body.slice(at + 2, -1)), function: body.slice(0, at) };
}

function placeOf(text: string): string {
  const isFile = LINE_AND_COLUMN.test(text) && !text.startsWith('eval at ');
  return isFile ? text.replace(LINE_AND_COLUMN, '') : '<anonymous>';
}
