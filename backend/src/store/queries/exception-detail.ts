import type { ExceptionDetail, FrameDetail, SourceLine } from '../../contract/event-api.ts';
import { type Fields, numberOf } from '../../digest/fields.ts';
import { exceptionsOf, framesOf } from '../reading/exceptions.ts';
import { shownPlace } from '../reading/frame-place.ts';
import { messageOf } from '../reading/message.ts';
import { columnText } from '../event/column-text.ts';

/** SDKs follow five causes; the innermost of a longer chain are shown. */
const MAX_EXCEPTIONS = 20;
/** Node and the SDKs keep 50. */
const MAX_FRAMES = 100;
/** Lines of source on each side; SDKs send five or seven. */
const MAX_CONTEXT_LINES = 10;
const MAX_TEXT_LENGTH = 8_192;
const MAX_LINE_LENGTH = 1_024;
const MAX_FILE_LENGTH = 1_024;

/**
 * Lists the exceptions, the thrown one first; a message with a stack is listed like one. Sentry lists the oldest cause
 * first, and frames outermost call first.
 */
export function exceptionDetailsOf(event: Fields): readonly ExceptionDetail[] {
  const exceptions = exceptionsOf(event).slice(-MAX_EXCEPTIONS).toReversed();
  if (exceptions.length > 0 || framesOf(event).length === 0) return exceptions.map(detailOf);
  return [detailOf({ type: 'Message', value: messageOf(event)?.text, stacktrace: event['stacktrace'] })];
}

function detailOf(holder: Fields): ExceptionDetail {
  return {
    type: columnText(holder['type'], MAX_TEXT_LENGTH) ?? 'Error',
    value: columnText(holder['value'], MAX_TEXT_LENGTH) ?? '',
    frames: framesOf(holder).slice(-MAX_FRAMES).toReversed().map(frameOf),
  };
}

function frameOf(frame: Fields): FrameDetail {
  const line = positionOf(frame['lineno']);
  const name = columnText(frame['function'], MAX_FILE_LENGTH);
  return {
    file: columnText(shownPlace(frame), MAX_FILE_LENGTH) ?? '<unknown>',
    function: name === '?' ? null : name,
    line,
    column: positionOf(frame['colno']),
    own: frame['in_app'] === true,
    mapped: frame['mapped'] === true,
    source: line === null ? [] : sourceOf(frame, line),
  };
}

function sourceOf(frame: Fields, line: number): readonly SourceLine[] {
  const before = textsOf(frame['pre_context']).slice(-MAX_CONTEXT_LINES);
  const failing = typeof frame['context_line'] === 'string' ? [frame['context_line']] : [];
  if (failing.length === 0) return [];
  const first = line - before.length;
  const after = textsOf(frame['post_context']).slice(0, MAX_CONTEXT_LINES);
  return [...before, ...failing, ...after].map((text, index) => ({
    number: first + index,
    text: text.slice(0, MAX_LINE_LENGTH),
  }));
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string') : [];
}

function positionOf(value: unknown): number | null {
  const position = numberOf(value);
  return Number.isSafeInteger(position) && position > 0 ? position : null;
}
