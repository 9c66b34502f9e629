/**
 * Texts of Gecko, JSC and older V8 that say the same as a text of V8 that no build changes. The digest is that of V8's
 * text, so that a fault in Node and in Chromium keeps its digest.
 *
 * @see https://github.com/v8/v8/blob/main/src/common/message-template.h V8
 * @see https://github.com/mozilla/gecko-dev/blob/master/js/public/friend/ErrorNumbers.msg Gecko: the language
 * @see https://github.com/mozilla/gecko-dev/blob/master/dom/bindings/Errors.msg Gecko: the Web's interfaces
 * @see https://github.com/WebKit/WebKit/tree/main/Source/JavaScriptCore/runtime JSC: ExceptionHelpers.cpp, LiteralParser.cpp
 */
export interface TextOfV8 {
  readonly type: string;
  readonly text: string;
  readonly others: readonly RegExp[];
}

/** Where JSON goes on after the part that is right. Gecko and JSC say no position or another one. */
const AT = 'in JSON at position 1 (line 1 column 2)';
const gecko = (problem: string): RegExp =>
  new RegExp(String.raw`^JSON\.parse: ${problem} at line \d+ column \d+ of the JSON data$`);
const jsc = (problem: string): RegExp => new RegExp(`^JSON Parse error: ${problem}$`);

/** `JSON.parse`. One text of JSC for two of V8 goes to the one that cut and truncated data cause. */
const JSON_TEXTS: readonly TextOfV8[] = [
  {
    type: 'SyntaxError',
    // V8 quotes the token and the data, which differ for each response; it names the data alone for undefined and NaN.
    text: `Unexpected token '<', "<!doctype "... is not valid JSON`,
    others: [
      /^Unexpected token .{1,4}, [^]* is not valid JSON$/u,
      /^Unexpected token .{1,4} in JSON at position \d+$/u,
      /^"[^]*" is not valid JSON$/,
      /^Unexpected (?:number|string) in JSON at position \d+/,
      gecko('unexpected (?:character|keyword|number|non-digit)'),
      jsc(`(?:Unrecognized token '[^]*'|Unexpected (?:identifier|token) [^]*|Single quotes .*)`),
      jsc('Unexpected comma at the end of array expression'),
    ],
  },
  {
    type: 'SyntaxError',
    text: 'Unexpected end of JSON input',
    others: [gecko('unexpected end of data'), jsc('Unexpected EOF')],
  },
  {
    type: 'SyntaxError',
    text: `Expected ',' or '}' after property value ${AT}`,
    others: [
      gecko(`(?:expected ',' or '}'|end of data) after property value in object`),
      jsc(`Expected '}'`),
    ],
  },
  {
    type: 'SyntaxError',
    text: `Expected ',' or ']' after array element ${AT}`,
    others: [
      gecko(`(?:expected ',' or '\\]' after array element|end of data when ',' or '\\]' was expected)`),
      jsc(`Expected '\\]'`),
    ],
  },
  {
    type: 'SyntaxError',
    text: `Expected double-quoted property name ${AT}`,
    others: [gecko('expected double-quoted property name'), jsc('Property name must be a string literal')],
  },
  {
    type: 'SyntaxError',
    text: `Expected ':' after property name ${AT}`,
    others: [
      gecko(`(?:expected ':'|end of data) after property name in object`),
      jsc(`Expected ':' before value in object property definition`),
    ],
  },
  {
    type: 'SyntaxError',
    text: `Unterminated string ${AT}`,
    others: [gecko('unterminated string(?: literal)?'), jsc('Unterminated string')],
  },
  {
    type: 'SyntaxError',
    text: `Bad escaped character ${AT}`,
    others: [gecko('bad escaped character'), jsc('Invalid escape character .*')],
  },
  {
    type: 'SyntaxError',
    text: `Unexpected non-whitespace character after ${AT.slice('in '.length)}`,
    others: [
      gecko('unexpected non-whitespace character after JSON data'),
      jsc('Unable to parse JSON string'),
    ],
  },
];

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
  {
    type: 'RangeError',
    text: 'Invalid count value: -1',
    others: [
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

export const TEXTS_OF_V8: readonly TextOfV8[] = [...NETWORK_TEXTS, ...JSON_TEXTS, ...LANGUAGE_TEXTS];
