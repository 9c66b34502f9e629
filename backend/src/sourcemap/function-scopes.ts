import { type AnyNode, Parser } from 'acorn';
import { base, fullAncestor } from 'acorn-walk';

/** Offsets of a function's name in the script. */
export interface NamePlace {
  readonly at: number;
  readonly end: number;
  /** Whether it is the name of a property or method, which minifiers keep; they change names of variables. */
  readonly isKey: boolean;
  /** False if the function is the argument of a call whose result has the name: `name = memo(() => …)`. */
  readonly isDirect: boolean;
}

/** A function of a script; `parent` is the function around it, `end` is exclusive. */
export interface FunctionScope {
  readonly start: number;
  readonly end: number;
  readonly name: NamePlace | null;
  readonly parent: FunctionScope | null;
}

type FoundFunction = Omit<FunctionScope, 'parent'>;

/**
 * Maximum length of a parsed script, characters: the store's thread does nothing else while it parses, about a second for each
 * MiB on a busy machine (measured).
 */
const MAX_CODE_LENGTH = 8 * 1024 * 1024;
/** Maximum number of nodes in memory. Each takes about 100 bytes, and the store's thread has 256 MiB. */
const MAX_NODES = 1_300_000;

declare module 'acorn' {
  /** The part of it that plugins extend. */
  interface Parser {
    finishNode<Finished extends AnyNode>(node: Finished, type: Finished['type']): Finished;
    parseFunctionBody(node: FunctionNode, ...form: readonly unknown[]): void;
  }
}

/**
 * Finds all functions of a script and their names.
 *
 * @returns functions in order of their starts, or undefined if the script cannot be parsed: its frames then have a
 * position in the source and no function.
 */
export function readFunctionScopes(code: string): readonly FunctionScope[] | undefined {
  if (code.length > MAX_CODE_LENGTH) return undefined;
  const found = findFunctions(code, 'module') ?? findFunctions(code, 'script');
  return found === undefined ? undefined : nest(found);
}

/** Returns undefined for invalid JavaScript, and for nesting deeper than the stack: parser and walk are recursive. */
function findFunctions(code: string, sourceType: 'module' | 'script'): readonly FoundFunction[] | undefined {
  const found: FoundFunction[] = [];
  try {
    const parser = Parser.extend((Base) => emptyingParser(Base, found));
    collect(parser.parse(code, { ecmaVersion: 'latest', sourceType, preserveParens: true }), found);
    return found;
  } catch {
    return undefined;
  }
}

/**
 * Returns a parser that reads the functions in each function's body as soon as it is complete, and then empties it. The whole
 * tree of a script takes 45 bytes for each character; so only that of unfinished functions is in memory.
 */
function emptyingParser(Base: typeof Parser, found: FoundFunction[]): typeof Parser {
  return class extends Base {
    #nodes = 0;

    override finishNode<Finished extends AnyNode>(node: Finished, type: Finished['type']): Finished {
      this.#nodes += 1;
      if (this.#nodes > MAX_NODES) throw new RangeError('the tree of the script is too large');
      return super.finishNode(node, type);
    }

    override parseFunctionBody(node: FunctionNode, ...form: readonly unknown[]): void {
      const before = this.#nodes;
      super.parseFunctionBody(node, ...form);
      const { start, end } = node.body;
      // The parser still needs the parameters, to check getters and setters.
      for (const part of [...node.params, node.body]) collect(part, found);
      node.body = { type: 'BlockStatement', body: [], start, end };
      this.#nodes = before + 1;
    }
  };
}

type FunctionNode = Extract<
  AnyNode,
  { type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }
>;

function isFunction(node: AnyNode): node is FunctionNode {
  return /^(?:Function(?:Declaration|Expression)|ArrowFunctionExpression)$/.test(node.type);
}

/** Walks all but the content of functions. */
const OUTSIDE_FUNCTIONS = { ...base, Function: () => undefined };

/** Adds the functions below a node, without those in them. */
function collect(part: AnyNode, found: FoundFunction[]): void {
  const each = (node: AnyNode, _state: unknown, path: readonly AnyNode[]): void => {
    if (isFunction(node)) found.push({ start: node.start, end: node.end, name: nameOf(path) });
  };
  fullAncestor(part, each, OUTSIDE_FUNCTIONS);
}

/** Returns the name of the last node of a path: its own, or that of the variable or member with this value. */
function nameOf(path: readonly AnyNode[]): NamePlace | null {
  const [outer, node] = path.slice(-2);
  if (outer === undefined || node === undefined) return null;
  // The parent of the method is the class body, and its parent is the class.
  if (outer.type === 'MethodDefinition' && outer.kind === 'constructor') return nameOf(path.slice(0, -3));
  const name = ownName(node) ?? givenName(outer, node);
  if (name !== null) return name;
  const isCall = outer.type === 'CallExpression' || outer.type === 'NewExpression';
  if (isCall && outer.arguments[0] === node) {
    const result = nameOf(path.slice(0, -1));
    return result === null ? null : { ...result, isDirect: false };
  }
  return isFirst(outer, node) ? nameOf(path.slice(0, -1)) : null;
}

/** Returns whether only words and parentheses are between the starts of value and node: `new (class …)()`. */
function isFirst(outer: AnyNode, node: AnyNode): boolean {
  if (outer.type === 'NewExpression') return outer.callee === node;
  return outer.start === node.start || /^(?:Await|Parenthesized)Expression$/.test(outer.type);
}

function ownName(node: AnyNode): NamePlace | null {
  const isNamed = /^(?:Function|Class)(?:Declaration|Expression)$/.test(node.type);
  return isNamed && 'id' in node && node.id ? placeOf(node.id, false) : null;
}

function givenName(outer: AnyNode, value: AnyNode): NamePlace | null {
  if (outer.type === 'VariableDeclarator') return outer.init === value ? targetName(outer.id) : null;
  if (outer.type === 'AssignmentExpression' || outer.type === 'AssignmentPattern') {
    const isPlain = outer.type === 'AssignmentPattern' || outer.operator === '=';
    return outer.right === value && isPlain ? targetName(outer.left) : null;
  }
  const isMember = 'key' in outer && 'computed' in outer && outer.value === value;
  return isMember && !outer.computed ? placeOf(outer.key, true) : null;
}

function targetName(target: AnyNode): NamePlace | null {
  if (target.type === 'Identifier') return placeOf(target, false);
  return target.type === 'MemberExpression' && !target.computed ? placeOf(target.property, true) : null;
}

function placeOf(name: AnyNode, isKey: boolean): NamePlace {
  const quote = name.type === 'Literal' && typeof name.value === 'string' ? 1 : 0;
  return { at: name.start + quote, end: name.end - quote, isKey, isDirect: true };
}

function nest(found: readonly FoundFunction[]): readonly FunctionScope[] {
  const open: FunctionScope[] = [];
  return found
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .map((scope) => {
      while ((open.at(-1)?.end ?? Infinity) <= scope.start) open.pop();
      const parent = open.at(-1) ?? null;
      const nested = { ...scope, name: trustedName(scope.name, parent), parent };
      open.push(nested);
      return nested;
    });
}

/**
 * The argument of a call gets the name of the result only outside of all named functions. There such a call wraps its
 * argument (`Page = memo(() => …)`); within a named function it uses the argument (`sum = items.reduce(() => …)`).
 */
function trustedName(name: NamePlace | null, parent: FunctionScope | null): NamePlace | null {
  if (name === null || name.isDirect) return name;
  for (let outer = parent; outer !== null; outer = outer.parent) if (outer.name !== null) return null;
  return name;
}

/** Returns the innermost function around an offset: the one that starts last. */
export function scopeAt(scopes: readonly FunctionScope[], offset: number): FunctionScope | null {
  return scopes.findLast(({ start, end }) => start <= offset && offset < end) ?? null;
}
