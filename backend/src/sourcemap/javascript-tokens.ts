export type TokenKind = 'word' | 'number' | 'string' | 'template' | 'regex' | 'punctuator' | 'end';

const BLANK = /\s*/y;
const WORD = /[\w$#\\\u0080-\uffff]+/y;
/** Wider than the grammar (`1..toFixed` is one): where a number ends matters less than that it is one. */
const NUMBER = /(?:[\w.]|(?<=[eE])[+-])+/y;
const REGEX = /\/(?:[^/[\\\n\r]|\\[^\n\r]|\[(?:[^\]\\\n\r]|\\[^\n\r])*\])+\/\w*/y;
const PUNCTUATOR = /\.{3}|=>|\?\.(?!\d)|\?\?|\+\+|--|[^]/y;
const LINE_END = /[\n\r\u2028\u2029]|$/g;

/**
 * Reads JavaScript token by token: enough of the grammar to find its brackets and words. It keeps nothing, so
 * a script of some MiB costs milliseconds and no memory (a syntax tree of it takes a hundred times its size).
 */
export class JavaScriptTokens {
  kind: TokenKind = 'end';
  start = 0;
  end = 0;
  /** The last token was not closed: the text is no JavaScript, or was read wrongly. */
  isBroken = false;
  readonly #code: string;

  constructor(code: string) {
    this.#code = code;
    if (code.startsWith('#!')) this.end = lineEnd(code, 0);
  }

  /** @param allowsRegex whether a slash begins a regular expression here: only the grammar around it knows. */
  next(allowsRegex: boolean): boolean {
    this.start = afterBlanks(this.#code, this.end);
    this.kind = kindAt(this.#code, this.start, allowsRegex);
    const end = this.#endOf(this.kind);
    this.isBroken ||= end === undefined;
    this.end = end ?? this.start;
    return this.kind !== 'end' && !this.isBroken;
  }

  /** Goes on behind the brace that closed a `${`. */
  continueTemplate(): void {
    const end = templateEnd(this.#code, this.end);
    this.isBroken ||= end === undefined;
    this.end = end ?? this.end;
  }

  text(): string {
    return this.#code.slice(this.start, this.end);
  }

  /** First character behind the token and the blanks after it; empty at the end. */
  peek(): string {
    return this.#code.charAt(afterBlanks(this.#code, this.end));
  }

  #endOf(kind: TokenKind): number | undefined {
    const { start } = this;
    switch (kind) {
      case 'end':
        return start;
      case 'word':
        return matchEnd(WORD, this.#code, start);
      case 'number':
        return matchEnd(NUMBER, this.#code, start);
      case 'string':
        return stringEnd(this.#code, start);
      case 'template':
        return templateEnd(this.#code, start + 1);
      case 'regex':
        return matchEnd(REGEX, this.#code, start);
      case 'punctuator':
        return matchEnd(PUNCTUATOR, this.#code, start);
    }
  }
}

function kindAt(code: string, at: number, allowsRegex: boolean): TokenKind {
  if (at >= code.length) return 'end';
  const character = code.charAt(at);
  if (isDigit(character) || (character === '.' && isDigit(code.charAt(at + 1)))) return 'number';
  if (character === '"' || character === "'") return 'string';
  if (character === '`') return 'template';
  if (character === '/') return allowsRegex ? 'regex' : 'punctuator';
  return matchEnd(WORD, code, at) === undefined ? 'punctuator' : 'word';
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

function afterBlanks(code: string, from: number): number {
  let at = from;
  for (;;) {
    at = matchEnd(BLANK, code, at) ?? at;
    if (code.startsWith('//', at)) at = lineEnd(code, at);
    else if (code.startsWith('/*', at)) at = commentEnd(code, at);
    else return at;
  }
}

function lineEnd(code: string, from: number): number {
  LINE_END.lastIndex = from;
  return LINE_END.exec(code)?.index ?? code.length;
}

function commentEnd(code: string, from: number): number {
  const end = code.indexOf('*/', from + 2);
  return end === -1 ? code.length : end + 2;
}

/** By hand, as is {@link templateEnd}: a pattern would keep a way back for each of a data URL's million characters. */
function stringEnd(code: string, from: number): number | undefined {
  const quote = code.charAt(from);
  for (let at = from + 1; at < code.length; at += 1) {
    const character = code.charAt(at);
    if (character === '\\') at += 1;
    else if (character === quote) return at + 1;
  }
  return undefined;
}

/** Behind the literal's end, or behind its next `${`. */
function templateEnd(code: string, from: number): number | undefined {
  for (let at = from; at < code.length; at += 1) {
    const character = code.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '`') return at + 1;
    else if (character === '$' && code.charAt(at + 1) === '{') return at + 2;
  }
  return undefined;
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
