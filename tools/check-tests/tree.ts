import { parseSync } from 'oxc-parser';

/** A node of the syntax tree, by ESTree and TypeScript-ESTree. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** Nodes that only wrap the expression they hold. */
const WRAPPERS = new Set([
  'ParenthesizedExpression',
  'ChainExpression',
  'AwaitExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
]);
const CALLS = new Set(['CallExpression', 'NewExpression']);

/** A file that cannot be parsed is left to the compiler: its tree is empty. */
export function parse(file: string, text: string): Node {
  return parseSync(file, text).program as unknown as Node;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

export function childrenOf(node: Node): readonly Node[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode));
}

/** The node and all below it; with `enters`, only below the nodes it accepts. */
export function* nodesOf(node: Node, enters: (node: Node) => boolean = () => true): Generator<Node> {
  yield node;
  for (const child of childrenOf(node)) if (enters(child)) yield* nodesOf(child, enters);
}

export const isNoFunction = ({ type }: Node): boolean => !type.includes('Function');

export const part = (node: Node, key: string): Node | null => (isNode(node[key]) ? node[key] : null);
export const parts = (node: Node, key: string): readonly Node[] =>
  Array.isArray(node[key]) ? node[key].filter(isNode) : [];
export const argumentsOf = (node: Node): readonly Node[] => parts(node, 'arguments');

export const named = (node: unknown): string =>
  isNode(node) && (node.type === 'Identifier' || node.type === 'PrivateIdentifier')
    ? String(node['name'])
    : '';

/** The text of a string literal, or of a template without its values. */
export function textOf(node: Node | null | undefined): string {
  if (node?.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : '';
  if (node?.type !== 'TemplateLiteral') return '';
  return parts(node, 'quasis')
    .map(({ value }) => (typeof value === 'object' && value !== null && 'raw' in value ? value.raw : ''))
    .join('0');
}

/** The name of a key: `timeout` for `{ timeout: 1 }` and for `{ 'timeout': 1 }`. */
export const keyOf = (node: Node): string => named(node['key']) || textOf(part(node, 'key'));

/** The expression without parentheses, `await`, `as` and the like. */
export function bare(node: Node): Node {
  const inner = WRAPPERS.has(node.type) ? (part(node, 'expression') ?? part(node, 'argument')) : null;
  return inner === null ? node : bare(inner);
}

/** `performance.now` for that member, also below globalThis; `test.info().x` for a member of a result; '' for others. */
export function pathOf(node: Node | null): string {
  if (node === null) return '';
  const inner = bare(node);
  if (inner.type === 'ThisExpression') return 'this';
  if (CALLS.has(inner.type)) return `${pathOf(part(inner, 'callee'))}()`;
  if (inner.type === 'TaggedTemplateExpression') return `${pathOf(part(inner, 'tag'))}()`;
  if (inner.type !== 'MemberExpression') return named(inner);
  const property = inner['computed'] === true ? textOf(part(inner, 'property')) : named(inner['property']);
  return `${pathOf(part(inner, 'object'))}.${property}`.replace(/^(globalThis|window|self)\./, '');
}

/** The path of the called function: `performance.now` for `performance.now()`, `Date` for `new Date()`; '' for no call. */
export const calleeOf = (node: Node): string => (CALLS.has(node.type) ? pathOf(part(node, 'callee')) : '');

/** The module that an import, a dynamic import or a `require` names; '' for other nodes. */
export function moduleOf(node: Node): string {
  if (node.type === 'ImportDeclaration' || node.type === 'ImportExpression') {
    return textOf(part(node, 'source'));
  }
  return calleeOf(node) === 'require' ? textOf(argumentsOf(node)[0]) : '';
}

/** The names that a pattern takes out of an object: key and name of each. */
export function takenBy(pattern: Node | null): readonly (readonly [string, string])[] {
  if (pattern?.type !== 'ObjectPattern') return [];
  return parts(pattern, 'properties').map((each) => [keyOf(each), named(each['value'])] as const);
}
