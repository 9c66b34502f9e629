import { JSON_TEXTS, type TextOfV8 } from './engine-message-json.ts';

/** Requests and modules. JSC has the texts of the system's network library, too, and newer engines add the host. */
const NETWORK_TEXTS: readonly TextOfV8[] = [
  {
    type: 'TypeError',
    text: 'Failed to fetch',
    others: [
      /^Failed to fetch \([^()\s]+\)$/,
      /^(?:[\w.]+: )?NetworkError when attempting to fetch resource\.$/,
      /^Load failed(?: \([^()\s]+\))?$/,
      /^(?:The Internet connection appears to be offline|The network connection was lost|Could not connect to the server|The request timed out|A server with the specified hostname could not be found)\.$/,
      /^Origin \S+ is not allowed by Access-Control-Allow-Origin\./,
    ],
  },
  {
    type: 'TypeError',
    text: 'Failed to fetch dynamically imported module: https://shop.example/a.js',
    others: [
      /^error loading dynamically imported module(?:$|: )/,
      /^Importing a module script failed\.$/,
      // A page in place of the lost script.
      /^'[\w/+.-]*' is not a valid JavaScript MIME type\.$/,
    ],
  },
  { type: 'SyntaxError', text: "Unexpected token '<'", others: [/^expected expression, got '<'$/] },
  {
    type: 'TypeError',
    text: 'Invalid URL',
    others: [
      /^Failed to construct 'URL': Invalid URL$/,
      /^URL constructor: [^]* is not a valid URL\.$/,
      /^[^]* cannot be parsed as a URL(?: against [^]*)?\.$/,
    ],
  },
];

const LANGUAGE_TEXTS: readonly TextOfV8[] = [
  {
    type: 'TypeError',
    text: 'Assignment to constant variable.',
    // JSC has one text for a variable, a frozen property, one with a getter only, and a property of a primitive.
    others: [
      /^invalid assignment to const '.*'$/,
      /^Attempted to assign to readonly property\.$/,
      /^Cannot assign to read only property '.*' of /,
      /^".*" is read-only$/,
      /^Cannot set property .* of .* which has only a getter$/,
      /^setting getter-only property ".*"$/,
      /^Cannot create property '.*' on /,
      /^can't assign to property .* on .*: not an object$/,
    ],
  },
  {
    type: 'TypeError',
    text: "Right-hand side of 'instanceof' is not callable",
    others: [
      /^Right-hand side of 'instanceof' is not an object$/,
      /^invalid 'instanceof' operand/,
      /^Right hand side of instanceof is not an object$/,
      /^.* is not a function\. \(evaluating '.* instanceof .*'\)$/,
    ],
  },
  {
    type: 'RangeError',
    text: 'Maximum call stack size exceeded',
    others: [/^too much recursion$/, /^Maximum call stack size exceeded\.$/],
  },
  {
    type: 'RangeError',
    text: 'Invalid string length',
    others: [/^allocation size overflow$/, /^Out of memory$/],
  },
  {
    type: 'RangeError',
    text: 'Invalid array length',
    others: [
      /^invalid array length$/,
      /^Array (?:length must be a positive integer of safe magnitude|size is not a small enough positive integer)\.$/,
    ],
  },
  {
    type: 'RangeError',
    text: 'Invalid time value',
    others: [/^invalid date$/i, /^date value is not finite in DateTimeFormat[. ]?\w*\(\)$/],
  },
  // The name that the engine does not know is data: each user would have a digest of their own.
  {
    type: 'RangeError',
    text: 'Invalid time zone specified',
    others: [/^invalid time zone(?: specified| in \w+\(\))?: /i],
  },
  {
    type: 'RangeError',
    text: 'Incorrect locale information provided',
    others: [/^invalid language tag: /i],
  },
  {
    type: 'RangeError',
    text: 'Invalid currency code',
    others: [/^invalid currency code(?: in \w+\(\))? ?: /i, /^currency is not a well-formed currency code$/],
  },
  {
    type: 'RangeError',
    text: 'Invalid count value: -1',
    others: [
      /^Invalid count value$/,
      /^repeat count must be (?:non-negative|less than infinity)/,
      /^String\.prototype\.repeat argument must be /,
    ],
  },
  {
    type: 'RangeError',
    text: 'toString() radix argument must be between 2 and 36',
    others: [/^radix must be an integer at least 2 and no greater than 36$/],
  },
  {
    type: 'TypeError',
    text: 'Reduce of empty array with no initial value',
    others: [/^reduce of empty array with no initial value$/],
  },
  {
    type: 'TypeError',
    text: 'Converting circular structure to JSON',
    others: [/^cyclic object value$/, /^JSON\.stringify cannot serialize cyclic structures\.$/],
  },
  {
    type: 'TypeError',
    text: 'Do not know how to serialize a BigInt',
    others: [/^BigInt value can't be serialized in JSON$/, /^JSON\.stringify cannot serialize BigInt\.$/],
  },
  {
    type: 'TypeError',
    text: 'Cannot mix BigInt and other types, use explicit conversions',
    others: [/^can't convert BigInt to number$/, /^Invalid mix of BigInt and other type/],
  },
  {
    type: 'TypeError',
    text: 'Cannot convert a Symbol value to a string',
    others: [/^can't convert symbol to string$/, /^Cannot convert a symbol to a string$/],
  },
  {
    type: 'TypeError',
    text: 'Cannot convert a Symbol value to a number',
    others: [/^can't convert symbol to number$/, /^Cannot convert a symbol to a number$/],
  },
  {
    type: 'TypeError',
    text: 'Cannot convert object to primitive value',
    others: [/^can't convert .+ to (?:primitive type|string|number)$/, /^No default value$/],
  },
  {
    type: 'TypeError',
    text: 'Cannot convert undefined or null to object',
    others: [
      /^can't convert (?:undefined|null) to object$/,
      /^Object\.\w+ requires that input parameter not be null or undefined$/,
      /^(?:undefined|null) is not an object \(evaluating 'Object\.\w+\(.*\)'\)$/,
    ],
  },
  {
    type: 'TypeError',
    text: "Cannot perform 'get' on a proxy that has been revoked",
    others: [
      /^Cannot perform '.*' on a proxy that has been revoked$/,
      /^illegal operation attempted on a revoked proxy$/,
      /^Proxy has already been revoked\. No more operations are allowed to be performed on it$/,
    ],
  },
  {
    type: 'TypeError',
    text: 'Generator is already running',
    others: [/^already executing generator$/, /^Generator is executing$/],
  },
  {
    type: 'RangeError',
    text: 'Invalid code point -1',
    others: [
      /^.+ is not a valid code point$/,
      /^Arguments contain a value that is out of range of code points$/,
    ],
  },
  { type: 'URIError', text: 'URI malformed', others: [/^malformed URI sequence$/, /^URI error$/] },
  {
    type: 'ReferenceError',
    text: "Must call super constructor in derived class before accessing 'this' or returning from derived constructor",
    others: [
      /^must call super constructor before using 'this' in derived class constructor$/,
      /^'super\(\)' must be called in derived constructor/,
    ],
  },
  {
    type: 'TypeError',
    text: 'Illegal invocation',
    others: [
      /^'\w+' called on an object that does not implement interface \w+\.$/,
      /^Can only call \S+ on instances of \w+$/,
    ],
  },
];

/**
 * Texts of Gecko, JSC and older V8 that say the same as a text of V8 that no build changes. The digest is that of V8's
 * text, so that a fault in Node and in Chromium keeps its digest.
 *
 * @see https://github.com/v8/v8/blob/main/src/common/message-template.h V8
 * @see https://github.com/mozilla/gecko-dev/blob/master/js/public/friend/ErrorNumbers.msg Gecko: the language
 * @see https://github.com/mozilla/gecko-dev/blob/master/dom/bindings/Errors.msg Gecko: the Web's interfaces
 * @see https://github.com/WebKit/WebKit/tree/main/Source/JavaScriptCore/runtime JSC: ExceptionHelpers.cpp, LiteralParser.cpp
 */
export const TEXTS_OF_V8: readonly TextOfV8[] = [...NETWORK_TEXTS, ...JSON_TEXTS, ...LANGUAGE_TEXTS];
