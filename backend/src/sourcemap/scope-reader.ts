import { JavaScriptTokens, type TokenKind } from './javascript-tokens.ts';
import { BEFORE_BLOCK, BEFORE_VALUE, CONTROL, STATEMENT, TRANSPARENT } from './javascript-words.ts';

/** Where the name of a function stands in the script. */
export interface NamePlace {
  readonly at: number;
  readonly end: number;
  /** A property's or method's name, which minifiers keep; any other is a variable's, which they change. */
  readonly isKey: boolean;
  /** False where the function is handed to a call whose result gets the name: `name = memo(() => …)`. */
  readonly isDirect: boolean;
}

/** A function as it is read; `start` is its keyword or first parameter, `end` is behind it. */
export interface ReadFunction {
  readonly start: number;
  readonly end: number;
  readonly name: NamePlace | null;
}

type Head = Omit<ReadFunction, 'end'>;

/** An open bracket and what is known of it until it closes. */
interface Bracket {
  readonly opener: string;
  readonly start: number;
  readonly role: 'body' | 'block' | 'class' | 'control' | 'call' | 'value';
  /** The function whose parameters or body it holds; of a call: the method it is, should a body follow. */
  readonly head: Head | null;
  /** The name that a function begun by this bracket would get; of a class its own. */
  readonly candidate: NamePlace | null;
  /** Question marks that wait for their colon. */
  ternaries: number;
  /** Arrow functions without braces: they end with it, or at its next comma. */
  readonly arrows: { readonly head: Head; readonly ternaries: number }[];
}

interface Previous {
  readonly kind: TokenKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Stands behind a dot. */
  readonly isMember: boolean;
}

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '${': '}' };

/**
 * Walks a script once and notes each function with the place of its name.
 *
 * No parser: it follows brackets and the few words that matter, and says so ({@link ScopeReader.read} gives
 * undefined) when they do not add up.
 */
export class ScopeReader {
  readonly #tokens: JavaScriptTokens;
  readonly #found: ReadFunction[] = [];
  readonly #stack: Bracket[] = [];
  #top: Bracket = bracket('', 0, 'block', null, null);
  #allowsRegex = true;
  /** The last colon ended a label or a `case`. */
  #isBehindLabel = false;
  #isMismatched = false;
  #previous: Previous = { kind: 'end', text: '', start: 0, end: 0, isMember: false };
  /** The name a function beginning here would get. */
  #candidate: NamePlace | null = null;
  /** The parenthesis that the last token closed. */
  #closed: Bracket | null = null;
  /** `function` was read, its parameters not yet. */
  #function: Head | null = null;
  /** `=>` was read, its brace comes next. */
  #arrow: Head | null = null;
  /** `class` was read, its brace not yet. */
  #class: { readonly depth: number; readonly name: NamePlace | null } | null = null;

  constructor(code: string) {
    this.#tokens = new JavaScriptTokens(code);
  }

  read(): readonly ReadFunction[] | undefined {
    while (!this.#isMismatched && this.#tokens.next(this.#allowsRegex)) this.#take();
    if (this.#isMismatched || this.#tokens.isBroken || this.#stack.length > 0) return undefined;
    this.#endArrows(0);
    return this.#found;
  }

  #take(): void {
    const { kind, start, end } = this.#tokens;
    const text = this.#tokens.text();
    const isMember = this.#previous.text === '.' || this.#previous.text === '?.';
    const closed = this.#closed;
    this.#closed = null;
    if (kind === 'word') this.#word(text, isMember);
    else if (kind === 'punctuator') this.#punctuator(text, closed);
    else this.#value(kind, text);
    this.#previous = { kind, text, start, end, isMember };
  }

  #value(kind: TokenKind, text: string): void {
    this.#candidate = null;
    this.#allowsRegex = false;
    if (kind === 'template' && text.endsWith('${')) this.#push('${', 'value', null, null);
  }

  #word(text: string, isMember: boolean): void {
    this.#allowsRegex = false;
    if (isMember) return;
    const { text: before } = this.#previous;
    const isName = this.#holdsMethods() && '{,;}'.includes(before);
    if (text === 'function' && !isName) return this.#beginFunction();
    if (text === 'class' && !isName) return this.#beginClass();
    if (this.#function !== null && (before === 'function' || before === '*')) {
      this.#function = { start: this.#function.start, name: this.#placeHere() };
    } else if (this.#class !== null && before === 'class' && text !== 'extends') {
      this.#class = { depth: this.#class.depth, name: this.#placeHere() };
    }
    if (STATEMENT.has(text)) this.#endArrows(0);
    this.#allowsRegex = BEFORE_VALUE.has(text);
    if (!TRANSPARENT.has(text) && (this.#allowsRegex || STATEMENT.has(text))) this.#candidate = null;
  }

  #beginFunction(): void {
    this.#function = { start: this.#tokens.start, name: this.#candidate };
    this.#candidate = null;
  }

  #beginClass(): void {
    this.#class = { depth: this.#stack.length, name: this.#candidate };
    this.#candidate = null;
  }

  #placeHere(): NamePlace {
    return { at: this.#tokens.start, end: this.#tokens.end, isKey: false, isDirect: true };
  }

  /** The last token as the name of what follows: a variable, a property, or null when it is neither. */
  #placeBefore(isKey: boolean): NamePlace | null {
    const { kind, start, end } = this.#previous;
    if (kind === 'word' || (kind === 'number' && isKey)) return { at: start, end, isKey, isDirect: true };
    return kind === 'string' && isKey ? { at: start + 1, end: end - 1, isKey, isDirect: true } : null;
  }

  #punctuator(text: string, closed: Bracket | null): void {
    if (text in CLOSERS) this.#open(text, closed);
    else if (text === ')' || text === ']' || text === '}') this.#close(text);
    else if (text === '=>') this.#beginArrow(closed);
    else if (text === '.' || text === '?.') this.#allowsRegex = false;
    else if (text !== '++' && text !== '--') this.#operator(text);
  }

  #operator(text: string): void {
    this.#allowsRegex = true;
    if (text === '=') {
      this.#candidate = this.#placeBefore(this.#previous.isMember || this.#top.role === 'class');
      return;
    }
    this.#candidate = null;
    if (text === ',' || text === ';') this.#endArrows(0);
    else if (text === '?') this.#top.ternaries += 1;
    else if (text === ':') this.#colon();
  }

  #colon(): void {
    this.#isBehindLabel = this.#top.ternaries === 0 && this.#top.role !== 'value';
    if (this.#top.ternaries > 0) {
      this.#endArrows(this.#top.ternaries);
      this.#top.ternaries -= 1;
    } else if (this.#top.role === 'value') {
      this.#candidate = this.#placeBefore(true);
    }
  }

  #open(text: string, closed: Bracket | null): void {
    const candidate = this.#candidate;
    if (text === '(') this.#openParenthesis(candidate);
    else if (text === '{') this.#openBrace(closed);
    else this.#push(text, 'value', null, null);
    this.#allowsRegex = true;
  }

  #openParenthesis(candidate: NamePlace | null): void {
    const { kind, text, isMember } = this.#previous;
    if (this.#function !== null) {
      this.#push('(', 'value', this.#function, candidate);
      this.#function = null;
      return;
    }
    const isKeyword = !isMember && !this.#holdsMethods() && kind === 'word';
    const isControl = isKeyword && CONTROL.has(text);
    const isOperand = ['string', 'number', 'word'].includes(kind) || text === ']' || text === ')';
    const isCall = isOperand && !isControl && !(isKeyword && BEFORE_VALUE.has(text));
    const head = isCall ? { start: this.#tokens.start, name: this.#methodName() } : null;
    this.#push('(', isControl ? 'control' : isCall ? 'call' : 'value', head, candidate);
    this.#candidate = candidate === null ? null : { ...candidate, isDirect: candidate.isDirect && !isCall };
  }

  /** Directly within a class or an object literal, where `delete(…) {` is a method. */
  #holdsMethods(): boolean {
    return this.#top.role === 'class' || (this.#top.role === 'value' && this.#top.opener === '{');
  }

  #methodName(): NamePlace | null {
    const isConstructor = this.#top.role === 'class' && this.#previous.text === 'constructor';
    return isConstructor ? this.#top.candidate : this.#placeBefore(true);
  }

  #openBrace(closed: Bracket | null): void {
    const head = this.#arrow ?? closed?.head ?? null;
    if (this.#arrow === null && this.#class?.depth === this.#stack.length) {
      this.#push('{', 'class', null, this.#class.name);
      this.#class = null;
    } else if (head !== null) {
      this.#push('{', 'body', head, null);
    } else {
      this.#push('{', this.#isBlockNext(closed) ? 'block' : 'value', null, null);
    }
    this.#arrow = null;
  }

  #isBlockNext(closed: Bracket | null): boolean {
    const { kind, text } = this.#previous;
    if (text === ':') return this.#isBehindLabel;
    return closed !== null || kind === 'end' || BEFORE_BLOCK.has(text) || [';', '{', '}'].includes(text);
  }

  #push(opener: string, role: Bracket['role'], head: Head | null, candidate: NamePlace | null): void {
    this.#stack.push(this.#top);
    this.#top = bracket(opener, this.#tokens.start, role, head, candidate);
    this.#candidate = null;
    this.#allowsRegex = true;
  }

  #close(text: string): void {
    this.#endArrows(0);
    const closing = this.#top;
    const below = this.#stack.pop();
    if (below === undefined || CLOSERS[closing.opener] !== text) {
      this.#isMismatched = true;
      return;
    }
    this.#top = below;
    this.#candidate = text === ')' ? closing.candidate : null;
    this.#allowsRegex = text === '}' ? closing.role !== 'value' : closing.role === 'control';
    if (text === ')') this.#closed = closing;
    if (closing.role === 'body' && closing.head !== null) this.#note(closing.head, this.#tokens.end);
    if (closing.opener === '${') this.#resumeTemplate();
  }

  #resumeTemplate(): void {
    this.#tokens.continueTemplate();
    this.#allowsRegex = false;
    if (this.#tokens.text().endsWith('${')) this.#push('${', 'value', null, null);
  }

  #beginArrow(closed: Bracket | null): void {
    const head = { start: closed?.start ?? this.#previous.start, name: this.#candidate };
    if (this.#tokens.peek() === '{') this.#arrow = head;
    else this.#top.arrows.push({ head, ternaries: this.#top.ternaries });
    this.#candidate = null;
    this.#allowsRegex = true;
  }

  /** Ends the braceless arrow functions of this bracket that began behind at least so many question marks. */
  #endArrows(ternaries: number): void {
    for (;;) {
      const last = this.#top.arrows.at(-1);
      if (last === undefined || last.ternaries < ternaries) return;
      this.#top.arrows.pop();
      this.#note(last.head, this.#tokens.start);
    }
  }

  #note(head: Head, end: number): void {
    this.#found.push({ start: head.start, end, name: head.name });
  }
}

function bracket(
  opener: string,
  start: number,
  role: Bracket['role'],
  head: Head | null,
  candidate: NamePlace | null,
): Bracket {
  return { opener, start, role, head, candidate, ternaries: 0, arrows: [] };
}
