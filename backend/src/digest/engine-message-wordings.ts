/** Wordings of the engines for one action, whose parts differ between builds: names that a minifier gives, and data. */
export interface Wording {
  readonly action: string;
  /** Groups: `name` of a property or a global, or the failed expression `what`; `of`: undefined or null. */
  readonly pattern: RegExp;
  /** Subject where the pattern has no such group; '' for an action that has none in every engine. */
  readonly subject?: string;
  /** What the value was, where the engine does not say. */
  readonly of?: 'undefined';
}

const MINIFIED_NAME = '<name>';

/** The first that matches counts, so that the special forms of an engine come before its general ones. */
export const WORDINGS: readonly Wording[] = [
  // A `for … of`, a spread or a pattern. JSC says it of the value's type or of the missing method, and may quote the code.
  { action: 'iterate', pattern: /^(?:undefined|null) is not an object \(evaluating '.* of (?<what>\S+)'\)$/ },
  {
    action: 'iterate',
    pattern: /^(?:undefined|null) is not an object \(evaluating '\[.*\] = (?<what>\S+)'\)$/,
  },
  {
    action: 'iterate',
    pattern: /^(?:undefined|null) is not an object \(evaluating '\[.*\]'\)$/,
    subject: MINIFIED_NAME,
  },
  // A variable, or the result of a function, as the whole of what is evaluated: a property would end in its name.
  {
    action: 'iterate',
    pattern: /^(?:undefined|null) is not an object \(evaluating '(?<what>[\w$]+)(?:\(.*\))?'\)$/,
  },
  { action: 'iterate', pattern: /^\S+ is not a function \(near '\.\.\..* of (?<what>\S+?)\.\.\.'\)$/ },
  { action: 'iterate', pattern: /^(?<what>undefined|null) is not a function \(near '\.\.\.\[.*\.\.\.'\)$/ },
  { action: 'iterate', pattern: /^Spread syntax requires \.\.\.iterable/, subject: MINIFIED_NAME },
  { action: 'iterate', pattern: /^Found non-callable @@iterator$/, subject: MINIFIED_NAME },
  // Newer JSC says the value or its type.
  {
    action: 'iterate',
    pattern: /^(?:\{\}|true|false|number|bigint|symbol) is not iterable$/,
    subject: MINIFIED_NAME,
  },
  {
    action: 'iterate',
    pattern: /^(?<what>\S+) is not a function or its return value is not (?:async )?iterable$/,
  },
  { action: 'iterate', pattern: /^(?<what>[^\s()]+)\((?:\.\.\.)?\) is not iterable$/ },
  { action: 'iterate', pattern: /^(?:[a-z]+ )?(?<what>\S+) is not iterable \(cannot read property .*\)$/ },
  { action: 'iterate', pattern: /^(?<what>\S+) is not iterable$/ },
  // Gecko has one message for reading and writing, so both count as one action, and so does a pattern `{ id } = e`.
  {
    action: 'access',
    pattern:
      /^Cannot (?:read|set) properties of (?<of>undefined|null)(?: \((?:reading|setting) '(?<name>.*)'\))?$/,
  },
  { action: 'access', pattern: /^Cannot (?:read|set) property '(?<name>.*)' of (?<of>undefined|null)$/ },
  {
    action: 'access',
    pattern: /^Cannot destructure property '(?<name>.*)' of '.*' as it is (?<of>undefined|null)\.$/,
  },
  { action: 'access', pattern: /^Cannot destructure '.*' as it is (?<of>undefined|null)\.$/ },
  { action: 'access', pattern: /^can't access property "?(?<name>[^"]*)"?, .+ is (?<of>undefined|null)$/ },
  { action: 'access', pattern: /^can't access property "?(?<name>[^"]*)"? of (?<of>undefined|null)$/ },
  {
    action: 'access',
    pattern: /^(?:\S+|\((?:intermediate value|destructured parameter)\)\S*) is (?<of>undefined|null)$/,
  },
  { action: 'access', pattern: /^(?<of>undefined|null) is not an object \(evaluating '(?<what>.*)'\)$/ },
  {
    action: 'access',
    pattern: /^Cannot destructure property '(?<name>.*)' from null or undefined value$/,
    of: 'undefined',
  },
  {
    action: 'access',
    pattern:
      /^(?:Cannot destructure null or undefined value|Right side of assignment cannot be destructured)$/,
    of: 'undefined',
  },
  { action: 'call', pattern: /^(?<what>\S+) is not a function(?:\. \(In '.*', '.*' is .*\))?$/ },
  { action: 'call', pattern: /^\S+ is not a function \(near '\.\.\.(?<what>[^\s('"]+).*\.\.\.'\)$/ },
  { action: 'call', pattern: /^\w+\.prototype\.\w+ callback must be a function$/, subject: 'undefined' },
  { action: 'construct', pattern: /^\S+ is not a constructor \(evaluating 'new (?<what>[^\s('"]+).*'\)$/ },
  { action: 'construct', pattern: /^(?<what>\S+) is not a constructor$/ },
  { action: 'use early', pattern: /^Cannot access '(?<what>.*)' before initialization\.?$/ },
  { action: 'use early', pattern: /^can't access lexical declaration '(?<what>.*)' before initialization$/ },
  { action: 'use early', pattern: /^Cannot access uninitialized variable\.$/, subject: MINIFIED_NAME },
  { action: 'find', pattern: /^(?<name>\S+) is not defined$/ },
  { action: 'find', pattern: /^Can't find variable: (?<name>\S+)$/ },
  { action: 'find', pattern: /^assignment to undeclared variable (?<name>\S+)$/ },
  { action: 'find', pattern: /^Strict mode forbids implicit creation of global property '(?<name>\S+)'$/ },
  // JSC does not name the property, Gecko not always.
  {
    action: 'search by in',
    pattern: /^[Cc]annot use 'in' operator to search for [^]* in [^]*$/,
    subject: '',
  },
  { action: 'search by in', pattern: /^right-hand side of 'in' should be an object, got [^]*$/, subject: '' },
  { action: 'search by in', pattern: /^.* is not an Object\. \(evaluating '.* in .*'\)$/, subject: '' },
  {
    action: 'add a property',
    pattern: /^Cannot (?:add|define) property .*, object is not extensible$/,
    subject: '',
  },
  { action: 'add a property', pattern: /^can't define property .+: .+ is not extensible$/, subject: '' },
  {
    action: 'add a property',
    pattern: /^Attempting to define property on object that is not extensible\.$/,
    subject: '',
  },
  { action: 'delete a property', pattern: /^Cannot delete property '.*' of /, subject: '' },
  {
    action: 'delete a property',
    pattern: /^property .+ is non-configurable and can't be deleted$/,
    subject: '',
  },
  { action: 'delete a property', pattern: /^Unable to delete property\.$/, subject: '' },
  { action: 'redefine a property', pattern: /^Cannot redefine property: /, subject: '' },
  { action: 'redefine a property', pattern: /^can't redefine non-configurable property /, subject: '' },
  {
    action: 'redefine a property',
    pattern: /^Attempting to change [a-z ]+ (?:property|attribute)/,
    subject: '',
  },
  {
    action: 'call a class',
    pattern:
      /^(?:Class constructor .* cannot be invoked without 'new'|class constructors must be invoked with 'new'|Cannot call a class constructor .*without \|new\|)$/,
    subject: '',
  },
  {
    action: 'access a private member',
    pattern:
      /^(?:Cannot (?:read|write) private member .* (?:from|to) an object whose class did not declare it|can't (?:access|set) private field(?: or method)?: object is not the right class|Cannot access invalid private field.*)$/,
    subject: '',
  },
];
