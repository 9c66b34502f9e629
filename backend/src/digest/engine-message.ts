import { isDomMessage } from './engine-message-dom.ts';
import { TEXTS_OF_V8 } from './engine-message-texts.ts';
import { WORDINGS } from './engine-message-wordings.ts';
import { skeletonOf } from './skeleton.ts';

/**
 * Gives messages that JavaScript engines write one common wording. One fault of one page has three messages in three
 * browsers, and new ones with every build, because engines quote the failing expression and a minified script contains
 * the minifier's names:
 *
 *     V8    Cannot read properties of undefined (reading 'items')
 *     Gecko can't access property "items", t.cart is undefined
 *     JSC   undefined is not an object (evaluating 't.cart.items')
 *
 * All three become `access items of undefined`. The wording holds what no engine and no minifier changes: the action,
 * the name of the property, and whether the value was undefined or null. The name is left out for
 * null, because Gecko says only `e is null` in some places and versions.
 *
 * Three tables: actions with names in them (`access items of undefined`), texts of others that V8 has without a name,
 * which become V8's, and the messages of DOMExceptions, of which only the name counts.
 *
 * @see https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Errors the wordings of each engine
 */

/** Classes of the wordings; a message of any other class is written by an application or a library. */
const ENGINE_TYPES: ReadonlySet<string> = new Set(['TypeError', 'ReferenceError']);

/** Longer messages contain a literal or are hostile. */
const MAX_LENGTH = 500;

/** Gecko's class for what the others report as a RangeError. */
const GECKO_TYPE = 'InternalError';

/** Node has an AbortError with a code of its own and this text, whose digest stays. */
const ABORTED = 'The operation was aborted';
const BY_NAME = 'DOMException';

/** A subject that differs between occurrences or engines. */
const ANY = '<n>';

const NAME = /^#?[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
/** A key in quotes, which counts as a property. */
const QUOTED_KEY = /\[(?<quote>["'])(?<key>[\p{ID_Start}$_][\p{ID_Continue}$]*)\k<quote>\]/gu;
/** Call of a module's export, in which bundlers keep `this` undefined: `(0, r.default)(e)`. The engines write its spaces in three ways. */
const EXPORT_CALL = /\(0 ?, ?([^\s()]+)\)/g;
const PROPERTY = /\.(?<property>#?[\p{ID_Start}$_][\p{ID_Continue}$]*)(?:\s*=[^=].*)?$/u;
/** As long as the names that minifiers give in a bundle of some thousand functions. */
const MINIFIED = /^[\w$]{1,3}$/;

/** Returns the common class of an error: V8's where Gecko has one of its own. */
export function engineType(type: string, message: string): string {
  return type === GECKO_TYPE ? (textOfV8('RangeError', message) === undefined ? type : 'RangeError') : type;
}

/** Returns the common wording; null for a message that no engine writes, and for a text of V8 that is the common one. */
export function engineMessage(type: string, message: string): string | null {
  if (message.length > MAX_LENGTH) return null;
  const text = textOfV8(engineType(type, message), message);
  if (text !== undefined) return skeletonOf(text);
  if (isDomMessage(type, message)) return type === 'AbortError' ? ABORTED : BY_NAME;
  return ENGINE_TYPES.has(type) ? worded(message.replace(EXPORT_CALL, '$1')) : null;
}

function textOfV8(type: string, message: string): string | undefined {
  return TEXTS_OF_V8.find((each) => each.type === type && each.others.some((other) => other.test(message)))
    ?.text;
}

function worded(message: string): string | null {
  for (const { pattern, action, ...fixed } of WORDINGS) {
    const match = pattern.exec(message);
    if (match === null) continue;
    const { name, what, of = fixed.of } = match.groups ?? {};
    const subject =
      of === 'null' ? ANY : (fixed.subject ?? (what === undefined ? named(name) : subjectOf(what)));
    return [action, ...(subject === '' ? [] : [subject]), ...(of === undefined ? [] : ['of', of])].join(' ');
  }
  return null;
}

/** Returns the name, or `<n>` for an index or an id: these differ between occurrences. */
function named(name: string | undefined): string {
  return name !== undefined && NAME.test(name) && !/\p{Nd}/u.test(name) ? name : ANY;
}

/** Returns the last property of an expression, or its variable; `<name>` where a minifier may have named that. */
function subjectOf(what: string): string {
  const property = PROPERTY.exec(what.replace(QUOTED_KEY, '.$<key>'))?.groups?.['property'];
  if (property !== undefined) return named(property);
  return MINIFIED.test(what) ? '<name>' : named(what);
}
