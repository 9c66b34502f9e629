import { type Fault, MAX_CAUSES, MAX_MESSAGE_LENGTH } from '../../digest/fault.ts';
import type { Fields } from '../../digest/fields.ts';
import { MAX_RAW_FRAMES, ownFrames, type RawFrame } from '../../digest/own-frames.ts';
import { framesOf, type RelatedException, thrownOf } from './exceptions.ts';
import { messageOf } from './message.ts';

/** Longest class name in a digest. */
const MAX_TYPE_LENGTH = 200;

export interface FaultOptions {
  /** Directory of the application that sent the event; '' when unknown. */
  readonly root: string;
  /**
   * Frames that enter the digest. A browser's without a source map do not: minified names change with every build, and so
   * do third parties' in a stack that was mapped.
   */
  readonly frames: 'all' | 'mapped' | 'none';
}

/**
 * Makes the fault of a normal event: of the thrown exception with its causes and members, else of the message, whose type
 * is ''. Returns null for an event with neither.
 *
 * Events contain no `error.code` and no own digest, so both are null.
 */
export function eventFault(event: Fields, options: FaultOptions): Fault | null {
  const thrown = thrownOf(event);
  if (thrown !== null) return exceptionFault(thrown, options, 0);
  const message = messageOf(event);
  // The template of a log entry (`User %s not found`) is better than its formatted text.
  return message === null ? null : faultOf('', message.template, event, options);
}

function exceptionFault(
  { value, cause, members }: RelatedException,
  options: FaultOptions,
  depth: number,
): Fault {
  const isEnd = depth === MAX_CAUSES;
  return {
    ...faultOf(textOf(value['type']), textOf(value['value']), value, options),
    cause: cause === null || isEnd ? null : exceptionFault(cause, options, depth + 1),
    members: isEnd ? [] : members.map((member) => exceptionFault(member, options, depth + 1)),
  };
}

function faultOf(type: string, message: string, holder: Fields, { root, frames }: FaultOptions): Fault {
  return {
    type: type.slice(0, MAX_TYPE_LENGTH),
    code: null,
    message: message.slice(0, MAX_MESSAGE_LENGTH),
    frames: frames === 'none' ? [] : ownFrames(rawFrames(holder, frames === 'mapped'), root),
    cause: null,
    members: [],
    ownDigest: null,
  };
}

function rawFrames(holder: Fields, onlyMapped: boolean): readonly RawFrame[] {
  const frames = framesOf(holder).filter((frame) => !onlyMapped || frame['mapped'] === true);
  return frames.slice(-MAX_RAW_FRAMES).toReversed().map(rawFrame);
}

/** Reads a frame. `in_app: false` marks foreign code; the path of a package is needed to recognise frameworks. */
function rawFrame(frame: Fields): RawFrame {
  const file = textOf(frame['filename']) || textOf(frame['abs_path']) || textOf(frame['module']);
  const isForeign = frame['in_app'] === false && !file.includes('node_modules');
  const name = frame['function'];
  return { file: isForeign ? '<foreign>' : file, function: typeof name === 'string' ? name : null };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
