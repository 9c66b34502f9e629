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
 * the name of the property, and whether the value was undefined or null.
 *
 * @see https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Errors the wordings of each engine
 */

/** Classes that engines throw; a message of any other class is written by an application or a library. */
const ENGINE_TYPES: ReadonlySet<string> = new Set(['TypeError', 'ReferenceError']);

/** Longer messages contain a literal or are hostile. */
const MAX_LENGTH = 500;

interface Wording {
  /** Groups: `name` of a property or a global, or the failed expression `what`; `of`: undefined or null. */
  readonly pattern: RegExp;
  readonly action: string;
}

const WORDINGS: readonly Wording[] = [
  // Gecko has one message for reading and writing, so both count as one action.
  {
    action: 'access',
    pattern:
      /^Cannot (?:read|set) properties of (?<of>undefined|null)(?: \((?:reading|setting) '(?<name>.*)'\))?$/,
  },
  { action: 'access', pattern: /^can't access property "?(?<name>[^"]*)"?, .+ is (?<of>undefined|null)$/ },
  { action: 'access', pattern: /^(?<of>undefined|null) is not an object \(evaluating '(?<what>.*)'\)$/ },
  { action: 'call', pattern: /^(?<what>\S+) is not a function(?:\. \(In '.*', '.*' is .*\))?$/ },
  { action: 'construct', pattern: /^(?<what>\S+) is not a constructor(?: \(evaluating '.*'\))?$/ },
  { action: 'iterate', pattern: /^(?<what>\S+) is not iterable$/ },
  { action: 'use early', pattern: /^Cannot access '(?<what>.*)' before initialization\.?$/ },
  { action: 'use early', pattern: /^can't access lexical declaration '(?<what>.*)' before initialization$/ },
  { action: 'find', pattern: /^(?<name>\S+) is not defined$/ },
  { action: 'find', pattern: /^Can't find variable: (?<name>\S+)$/ },
];

const NAME = /^#?[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const PROPERTY = /\.(?<property>#?[\p{ID_Start}$_][\p{ID_Continue}$]*)(?:\s*=[^=].*)?$/u;
/** As long as the names that minifiers give in a bundle of some thousand functions. */
const MINIFIED = /^[\w$]{1,3}$/;

/** Returns the common wording; null for a message that no engine writes. */
export function engineMessage(type: string, message: string): string | null {
  if (!ENGINE_TYPES.has(type) || message.length > MAX_LENGTH) return null;
  for (const { pattern, action } of WORDINGS) {
    const groups = pattern.exec(message)?.groups;
    if (groups === undefined) continue;
    const { name, what, of } = groups;
    const subject = what === undefined ? named(name) : subjectOf(what);
    return [action, subject, ...(of === undefined ? [] : ['of', of])].join(' ');
  }
  return null;
}

/** Returns the name, or `<n>` for an index or an id: these differ between occurrences. */
function named(name: string | undefined): string {
  return name !== undefined && NAME.test(name) && !/\p{Nd}/u.test(name) ? name : '<n>';
}

/** Returns the last property of an expression, or its variable; `<name>` where a minifier may have named that. */
function subjectOf(what: string): string {
  const property = PROPERTY.exec(what)?.groups?.['property'];
  if (property !== undefined) return named(property);
  return MINIFIED.test(what) ? '<name>' : named(what);
}
