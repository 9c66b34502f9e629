import { type Fields, fieldsAt, isFields } from '../../digest/fields.ts';
import { exceptionsOf, framesOf, withExceptions } from './exceptions.ts';
import { lenientText } from './lenient-text.ts';
import { valuesOf } from './values.ts';

/**
 * reading/ is the only place that knows the forms in which SDKs send an event. {@link normalEvent} brings a posted event
 * into one form, once, before anything else reads it; the other files of the folder read that form. It must never throw
 * because of an event, never change its argument, and never decide by the name of an SDK.
 *
 * The forms are those of Relay's event schema (relay-event-schema/src/protocol); docs/protocol.md lists them. After
 * normalEvent:
 * - members have their current names;
 * - `exception` is `{ values: [object, …] }`, with texts as `type` and `value` of each;
 * - a message with a template is in `logentry`, any other one is a text in `message`;
 * - a stack of a thread or of the event is in the exception that has none, without an exception in `stacktrace`.
 *
 * An event in this form, as the Node and browser SDKs send it, stays as it is.
 */
export function normalEvent(posted: Fields): Fields {
  const event = withCurrentNames(posted);
  return withStack(withMessage(withValues(event)));
}

/** Names from the time of Sentry's interfaces, which Relay still accepts. */
const OLD_NAMES: readonly (readonly [old: string, current: string])[] = [
  ['sentry.interfaces.Exception', 'exception'],
  ['sentry.interfaces.Message', 'logentry'],
  ['sentry.interfaces.Stacktrace', 'stacktrace'],
  ['sentry.interfaces.Threads', 'threads'],
  ['sentry.interfaces.Breadcrumbs', 'breadcrumbs'],
  ['sentry.interfaces.User', 'user'],
  ['sentry.interfaces.Http', 'request'],
  ['sentry.interfaces.Contexts', 'contexts'],
  ['sentry.interfaces.DebugMeta', 'debug_meta'],
];

/** Returns an object whose members have their current names; one that is there under its current name wins. */
export function withCurrentNames(object: Fields): Fields {
  let named = object;
  for (const [old, current] of OLD_NAMES) {
    if (!Object.hasOwn(object, old)) continue;
    const { [old]: value, ...others } = named;
    named = { ...others, [current]: others[current] ?? value };
  }
  return named;
}

function withValues(event: Fields): Fields {
  const { exception } = event;
  if (exception === undefined || exception === null || isNormal(exception)) return event;
  const holder = isFields(exception) && Object.hasOwn(exception, 'values') ? exception : {};
  return { ...event, exception: { ...holder, values: valuesOf(exception).map(normalException) } };
}

/** Most events are of Node and browser SDKs, in this form: they are not copied. */
function isNormal(exception: unknown): boolean {
  const { values } = fieldsAt(exception);
  return (
    Array.isArray(values) &&
    values.every((value) => isFields(value) && isText(value['type']) && isText(value['value'])) &&
    values.every((value) => withCurrentNames(value) === value)
  );
}

function normalException(sent: Fields): Fields {
  const exception = withCurrentNames(sent);
  const { type, value } = exception;
  if (isText(type) && isText(value)) return exception;
  return { ...exception, type: lenientText(type), value: lenientText(value) };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || value === undefined || value === null;
}

/** `message` is another name of `logentry`; older SDKs send a text under either. `false` is no message. */
function withMessage(event: Fields): Fields {
  const { logentry, message } = event;
  if (isText(message) && (isFields(logentry) || logentry === undefined)) return event;
  const { logentry: _entry, message: _message, ...others } = event;
  const entry = isFields(logentry) ? logentry : { formatted: lenientText(logentry) };
  if (isFields(message)) return { ...others, logentry: { ...message, ...withoutEmpty(entry) } };
  return { ...others, logentry: entry, message: message === false ? null : lenientText(message) };
}

function withoutEmpty(object: Fields): Fields {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== null && value !== undefined),
  );
}

/**
 * Moves a stack to its exception. Several SDKs attach the stack of an exception or a message to the thread, others to the
 * event.
 */
function withStack(event: Fields): Fields {
  const exceptions = exceptionsOf(event);
  if (exceptions.some((exception) => framesOf(exception).length > 0)) return event;
  const thrown = exceptions.at(-1);
  const stacktrace = framesOf(event).length > 0 ? event['stacktrace'] : threadStack(event, thrown);
  if (stacktrace === undefined) return event;
  if (thrown === undefined) return { ...event, stacktrace };
  const { stacktrace: _moved, ...others } = event;
  return withExceptions(others, [...exceptions.slice(0, -1), { ...thrown, stacktrace }]);
}

/** Returns the stack of the exception's own thread, else of the crashed, the current or the only one. */
function threadStack(event: Fields, thrown: Fields | undefined): unknown {
  const threads = valuesOf(event['threads']);
  const thread =
    threads.find(({ id }) => id !== undefined && id !== null && id === thrown?.['thread_id']) ??
    threads.find(({ crashed }) => crashed === true) ??
    threads.find(({ current }) => current === true) ??
    (threads.length === 1 ? threads[0] : undefined);
  return thread !== undefined && framesOf(thread).length > 0 ? thread['stacktrace'] : undefined;
}
