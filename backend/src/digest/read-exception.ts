import { MAX_CAUSES, MAX_MESSAGE_LENGTH } from './fault.ts';
import type { Fault } from './fault.ts';
import { type Fields, fieldsAt, isFields } from './fields.ts';
import { MAX_RAW_FRAMES, ownFrames } from './own-frames.ts';
import type { RawFrame } from './own-frames.ts';

/** Exceptions read, counted from the thrown one; the SDKs send 6 at most. */
const MAX_VALUES = 50;
/** Longest class name in a digest. */
const MAX_TYPE_LENGTH = 200;

export interface ReadExceptionOptions {
  /** Directory of the application that sent the event; '' when unknown. */
  readonly root: string;
  /** False for a browser's stack without a source map: minified names change with every build. */
  readonly useFrames: boolean;
}

/**
 * Reads the exception of a Sentry event (https://develop.sentry.dev/sdk/foundations/data-model/event-payloads/exception/):
 * the oldest cause first, frames outermost first. An event with a message only becomes a fault of type ''. Returns null
 * for an event with neither. Clients may post anything: every field may be missing, of another type or huge.
 *
 * Events contain no `error.code` and no own digest, so both are null.
 */
export function readException(event: unknown, options: ReadExceptionOptions): Fault | null {
  const values = exceptionsOf(event);
  const thrown = values.at(-1);
  if (thrown === undefined) return messageFault(event);
  return [thrown, ...causesOf(thrown, values)].reduceRight<Fault | null>(
    (cause, value) => faultOf(value, cause, options),
    null,
  );
}

function exceptionsOf(event: unknown): readonly Fields[] {
  const exception = fieldsAt(event)['exception'];
  const values = Array.isArray(exception) ? exception : fieldsAt(exception)['values'];
  return last(values, MAX_VALUES).filter(isFields);
}

/** Returns the causes, nearest first. The values also contain the errors of an AggregateError, which are not causes. */
function causesOf(thrown: Fields, values: readonly Fields[]): readonly Fields[] {
  const causes: Fields[] = [];
  let id = fieldsAt(thrown['mechanism'])['exception_id'];
  const hasIds = typeof id === 'number';
  for (const value of values.slice(0, -1).toReversed()) {
    const mechanism = fieldsAt(value['mechanism']);
    const source = mechanism['source'];
    const isMember = typeof source === 'string' && source.startsWith('errors[');
    if (isMember || (hasIds && mechanism['parent_id'] !== id)) continue;
    id = mechanism['exception_id'];
    causes.push(value);
    if (causes.length === MAX_CAUSES) break;
  }
  return causes;
}

function faultOf(value: Fields, cause: Fault | null, options: ReadExceptionOptions): Fault {
  return {
    type: stringOf(value['type']).slice(0, MAX_TYPE_LENGTH),
    code: null,
    message: stringOf(value['value']).slice(0, MAX_MESSAGE_LENGTH),
    frames: options.useFrames ? ownFrames(rawFrames(value), options.root) : [],
    cause,
    ownDigest: null,
  };
}

function rawFrames(value: Fields): readonly RawFrame[] {
  const frames = last(fieldsAt(value['stacktrace'])['frames'], MAX_RAW_FRAMES);
  return frames.filter(isFields).toReversed().map(rawFrame);
}

/** Reads a frame. `in_app: false` marks foreign code; the path of a package is needed to recognise frameworks. */
function rawFrame(frame: Fields): RawFrame {
  const file = stringOf(frame['filename']) || stringOf(frame['abs_path']) || stringOf(frame['module']);
  const isForeign = frame['in_app'] === false && !file.includes('node_modules');
  const name = frame['function'];
  return { file: isForeign ? '<foreign>' : file, function: typeof name === 'string' ? name : null };
}

/** Makes a fault of a message. The template of a log entry (`User %s not found`) is better than its formatted text. */
function messageFault(event: unknown): Fault | null {
  const { logentry, message } = fieldsAt(event);
  const texts = [logentry, message].flatMap((entry) => [
    fieldsAt(entry)['message'],
    fieldsAt(entry)['formatted'],
    entry,
  ]);
  const found = texts.map(stringOf).find((candidate) => candidate.trim() !== '');
  if (found === undefined) return null;
  return {
    type: '',
    code: null,
    message: found.slice(0, MAX_MESSAGE_LENGTH),
    frames: [],
    cause: null,
    ownDigest: null,
  };
}

function last(value: unknown, count: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(-count) : [];
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
