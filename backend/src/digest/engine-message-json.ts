/** A text of V8, which is the common one, and those of Gecko, JSC and older V8 for the same. */
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
/** V8 11.3, of Node 20, without line and column. */
const v8 = (problem: string): RegExp =>
  new RegExp(String.raw`^${problem} (?:in|after) JSON at position \d+$`);

/** `JSON.parse`. One text of JSC for two of V8 goes to the one that cut and truncated data cause. */
export const JSON_TEXTS: readonly TextOfV8[] = [
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
      v8(`Expected ',' or '}' after property value`),
    ],
  },
  {
    type: 'SyntaxError',
    text: `Expected ',' or ']' after array element ${AT}`,
    others: [
      gecko(`(?:expected ',' or '\\]' after array element|end of data when ',' or '\\]' was expected)`),
      jsc(`Expected '\\]'`),
      v8(`Expected ',' or '\\]' after array element`),
    ],
  },
  {
    type: 'SyntaxError',
    text: `Expected double-quoted property name ${AT}`,
    others: [
      gecko('expected double-quoted property name'),
      jsc('Property name must be a string literal'),
      v8('Expected double-quoted property name'),
    ],
  },
  {
    type: 'SyntaxError',
    text: `Expected ':' after property name ${AT}`,
    others: [
      gecko(`(?:expected ':'|end of data) after property name in object`),
      jsc(`Expected ':' before value in object property definition`),
      v8(`Expected ':' after property name`),
    ],
  },
  {
    type: 'SyntaxError',
    text: `Unterminated string ${AT}`,
    others: [
      gecko('unterminated string(?: literal)?'),
      jsc('Unterminated string'),
      v8('Unterminated string'),
    ],
  },
  {
    type: 'SyntaxError',
    text: `Bad escaped character ${AT}`,
    others: [gecko('bad escaped character'), jsc('Invalid escape character .*'), v8('Bad escaped character')],
  },
  {
    type: 'SyntaxError',
    text: `Unexpected non-whitespace character after ${AT.slice('in '.length)}`,
    others: [
      gecko('unexpected non-whitespace character after JSON data'),
      jsc('Unable to parse JSON string'),
      v8('Unexpected non-whitespace character'),
    ],
  },
];
