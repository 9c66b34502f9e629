import { type Fault, type FaultFrame, MAX_CAUSES, MAX_MESSAGE_LENGTH } from '../../digest/fault.ts';
import { type Fields, fieldsAt } from '../../digest/fields.ts';
import { locating, MAX_RAW_FRAMES } from '../../digest/own-frames.ts';
import { framesOf, type RelatedException, thrownOf } from './exceptions.ts';
import { faultFrame, faultMessage, faultType } from './frame-names.ts';
import { messageOf } from './message.ts';

/** Longest class name in a digest. */
const MAX_TYPE_LENGTH = 200;

/** Mechanism, class and message of a thrown response in Errata's client (frontend/src/reporting/thrown-response.ts). */
const OWN_CLIENT = 'auto.errata.';
const RESPONSE = 'ErrorResponse';
const STATUS = /^\d{3}(?![^ :])/;

export interface FaultOptions {
  /** Directory of the application that sent the event; '' when unknown. */
  readonly root: string;
  /**
   * Frames that enter the digest. A browser's without a source map do not: minified names change with every build, and so
   * do third parties' in a stack that was mapped.
   */
  readonly frames: 'all' | 'mapped' | 'none';
}

interface EventOptions extends FaultOptions {
  readonly platform: unknown;
}

/**
 * Makes the fault of a normal event: of the thrown exception with its causes and members, else of the message, whose type
 * is ''. Returns null for an event with neither.
 *
 * Events contain no `error.code` and no own digest, so both are null. A response that was thrown in Errata's client has its status
 * as its code and no message: its text is one of the network or of one occurrence.
 */
export function eventFault(event: Fields, wanted: FaultOptions): Fault | null {
  const options = { ...wanted, platform: event['platform'] };
  const thrown = thrownOf(event);
  if (thrown !== null) return exceptionFault(thrown, options, 0);
  const message = messageOf(event);
  // The template of a log entry (`User %s not found`) is better than its formatted text.
  return message === null ? null : faultOf('', message.template, event, options);
}

function exceptionFault(
  { value, cause, members }: RelatedException,
  options: EventOptions,
  depth: number,
): Fault {
  const isEnd = depth === MAX_CAUSES;
  return {
    ...faultOf(textOf(value['type']), textOf(value['value']), value, options),
    ...responseFault(value),
    cause: cause === null || isEnd ? null : exceptionFault(cause, options, depth + 1),
    members: isEnd ? [] : members.map((member) => exceptionFault(member, options, depth + 1)),
  };
}

function responseFault({ type, value, mechanism }: Fields): Partial<Fault> {
  const { type: source } = fieldsAt({ mechanism }, 'mechanism');
  const [status] = STATUS.exec(textOf(value)) ?? [];
  const isOwn = type === RESPONSE && textOf(source).startsWith(OWN_CLIENT);
  return isOwn && status !== undefined ? { code: status, message: '' } : {};
}

function faultOf(type: string, message: string, holder: Fields, options: EventOptions): Fault {
  return {
    type: faultType(type, options.platform).slice(0, MAX_TYPE_LENGTH),
    code: null,
    message: faultMessage(message.slice(0, MAX_MESSAGE_LENGTH), options.platform),
    frames: framesIn(holder, options),
    cause: null,
    members: [],
    ownDigest: null,
  };
}

function framesIn(holder: Fields, { root, frames, platform }: EventOptions): readonly FaultFrame[] {
  if (frames === 'none') return [];
  const all = framesOf(holder);
  const wanted = frames === 'all' ? all : all.filter((frame) => frame['mapped'] === true);
  const innermost = wanted.slice(-MAX_RAW_FRAMES).toReversed();
  return locating(innermost, (frame) => faultFrame(frame, platform, root));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
