import { MAX_CAUSES, MAX_MESSAGE_LENGTH } from './fault.ts';
import type { Fault } from './fault.ts';
import { MAX_RAW_FRAMES, ownFrames } from './own-frames.ts';
import type { RawFrame } from './own-frames.ts';

/** Exceptions looked at, counted from the one that was thrown; the SDKs send 6 at most. */
const MAX_VALUES = 50;
/** Longest class name kept. */
const MAX_TYPE_LENGTH = 200;

type Fields = Readonly<Record<string, unknown>>;

export interface ReadExceptionOptions {
  /** Directory of the application the event comes from; '' when it is not known. */
  readonly root: string;
  /** False for a browser's stack without a source map: minified names change with every build. */
  readonly useFrames: boolean;
}

/**
 * Reads the exception of a Sentry event (https://develop.sentry.dev/sdk/foundations/data-model/event-payloads/exception/):
 * the oldest cause first, frames outermost first. An event with a message only becomes a fault of type ''.
 * Null when it holds neither. The event is whatever somebody posted: every field may be missing, of another
 * type or huge.
 *
 * Events carry no `error.code` and no digest of the error's own, so both are null.
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
  const exception = fields(event)['exception'];
  const values = Array.isArray(exception) ? exception : fields(exception)['values'];
  return last(values, MAX_VALUES).filter(isFields);
}

/** Nearest cause first. The further errors of an AggregateError stand among the values too; they are no causes. */
function causesOf(thrown: Fields, values: readonly Fields[]): readonly Fields[] {
  const causes: Fields[] = [];
  let id = fields(thrown['mechanism'])['exception_id'];
  const hasIds = typeof id === 'number';
  for (const value of values.slice(0, -1).toReversed()) {
    const mechanism = fields(value['mechanism']);
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
    type: text(value['type']).slice(0, MAX_TYPE_LENGTH),
    code: null,
    message: text(value['value']).slice(0, MAX_MESSAGE_LENGTH),
    frames: options.useFrames ? ownFrames(rawFrames(value), options.root) : [],
    cause,
    ownDigest: null,
  };
}

function rawFrames(value: Fields): readonly RawFrame[] {
  const frames = last(fields(value['stacktrace'])['frames'], MAX_RAW_FRAMES);
  return frames.filter(isFields).toReversed().map(rawFrame);
}

/** `in_app: false` is the SDK's word for "not the application's"; its path still tells a framework. */
function rawFrame(frame: Fields): RawFrame {
  const file = text(frame['filename']) || text(frame['abs_path']) || text(frame['module']);
  const isForeign = frame['in_app'] === false && !file.includes('node_modules');
  const name = frame['function'];
  return { file: isForeign ? '<foreign>' : file, function: typeof name === 'string' ? name : null };
}

/** The template of a log entry (`User %s not found`) says more about the fault than the text made from it. */
function messageFault(event: unknown): Fault | null {
  const { logentry, message } = fields(event);
  const texts = [logentry, message].flatMap((entry) => [
    fields(entry)['message'],
    fields(entry)['formatted'],
    entry,
  ]);
  const found = texts.map(text).find((candidate) => candidate.trim() !== '');
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

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function last(value: unknown, count: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(-count) : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
