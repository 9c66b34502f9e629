/**
 * What the JavaScript engines themselves say, in one wording: version 2 of the digest reads messages with it. One fault
 * of one page has three messages in three browsers, and new ones with every build, as the engines write the expression
 * that failed and a minified script has the minifier's names:
 *
 *     V8    Cannot read properties of undefined (reading 'items')
 *     Gecko can't access property "items", t.cart is undefined
 *     JSC   undefined is not an object (evaluating 't.cart.items')
 *
 * All three become `access items of undefined`. What stays is what no engine and no minifier changes: what was tried,
 * the name of the property, and whether it was undefined or null.
 *
 * @see https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Errors the wordings of each engine
 */

/** Classes that engines throw; a message of any other is somebody's own words. */
const ENGINE_TYPES: ReadonlySet<string> = new Set(['TypeError', 'ReferenceError']);

/** A longer one holds a literal, or is hostile. */
const MAX_LENGTH = 500;

interface Wording {
  /** Groups: `name` of a property or a global, or `what` expression failed; `of` what kind of nothing. */
  readonly pattern: RegExp;
  readonly action: string;
}

const WORDINGS: readonly Wording[] = [
  // Gecko says the same of reading and of writing, so both are one.
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

/** The one wording; null for what no engine says. */
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

/** Only ever a name or a mark: a name that is none, such as an index or an id, differs between occurrences. */
function named(name: string | undefined): string {
  return name !== undefined && NAME.test(name) && !/\p{Nd}/u.test(name) ? name : '<n>';
}

/** The property an expression ends with, or the variable it is: that one's name may be the minifier's. */
function subjectOf(what: string): string {
  const property = PROPERTY.exec(what)?.groups?.['property'];
  if (property !== undefined) return named(property);
  return MINIFIED.test(what) ? '<name>' : named(what);
}
