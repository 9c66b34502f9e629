import {
  argumentsOf,
  bare,
  calleeOf,
  isNode,
  keyOf,
  named,
  nodesOf,
  part,
  parts,
  pathOf,
  type Node,
} from './tree.ts';

/** The limit of a single wait in the runners' settings. A smaller one fails on a busy machine. */
export const LEAST_LIMIT_MS = 60_000;

const SETTING = /^(timeout|actionTimeout|navigationTimeout|asyncUtilTimeout|testTimeout|globalTimeout)$/;
const SETS = /^((test|jest|testInfo|info|test\.info\(\))\.setTimeout|AbortSignal\.timeout)$/;
const SETS_DEFAULT = /\.setDefault(Navigation)?Timeout$/;
const TEST = /^(it|test|fit)(\.\w+(\(\))?)*$/;
const HOOK = /^(test\.)?(before|after)(All|Each)$/;

/** The numbers that the constants of a file hold: by name, or by `LIMITS.short` for a constant object. */
class Numbers {
  readonly #values = new Map<string, number>();

  constructor(program: Node) {
    for (const node of nodesOf(program)) {
      const init = node.type === 'VariableDeclarator' ? part(node, 'init') : null;
      if (init !== null) this.#learn(named(node['id']), bare(init));
    }
  }

  #learn(name: string, init: Node): void {
    const [frozen] = calleeOf(init) === 'Object.freeze' ? argumentsOf(init) : [];
    const object = frozen === undefined ? init : bare(frozen);
    const members = object.type === 'ObjectExpression' ? parts(object, 'properties') : [];
    const found = [
      [name, init] as const,
      ...members.map((each) => [`${name}.${keyOf(each)}`, part(each, 'value')] as const),
    ];
    for (const [path, node] of found) {
      const value = this.valueOf(node);
      if (value !== null) this.#values.set(path, value);
    }
  }

  /** The value of a constant expression, the least one where it has several; null where it is none. */
  valueOf(wrapped: Node | null | undefined): number | null {
    if (!isNode(wrapped)) return null;
    const node = bare(wrapped);
    if (node.type === 'Literal') return typeof node['value'] === 'number' ? node['value'] : null;
    if (node.type === 'BinaryExpression') return this.#calculate(node);
    if (node.type === 'ConditionalExpression') {
      return this.#leastOf([part(node, 'consequent'), part(node, 'alternate')]);
    }
    if (node.type === 'LogicalExpression') return this.#leastOf([part(node, 'left'), part(node, 'right')]);
    if (calleeOf(node) === 'Math.min') return this.#leastOf(argumentsOf(node));
    return this.#values.get(pathOf(node)) ?? null;
  }

  #leastOf(nodes: readonly (Node | null)[]): number | null {
    const values = nodes.map((each) => this.valueOf(each)).filter((value) => value !== null);
    return values.length === 0 ? null : Math.min(...values);
  }

  #calculate(node: Node): number | null {
    const [left, right] = [this.valueOf(part(node, 'left')), this.valueOf(part(node, 'right'))];
    if (left === null || right === null) return null;
    if (node['operator'] === '+') return left + right;
    if (node['operator'] === '-') return left - right;
    if (node['operator'] === '*') return left * right;
    return node['operator'] === '/' ? left / right : null;
  }
}

/** The expression that sets a limit by a property or by an argument; undefined where the node sets none. */
function limitOf(node: Node): Node | null | undefined {
  if (node.type === 'Property') return SETTING.test(keyOf(node)) ? part(node, 'value') : null;
  const callee = calleeOf(node);
  const [first, second, third] = argumentsOf(node);
  if (SETS.test(callee) || SETS_DEFAULT.test(callee)) return first;
  if (HOOK.test(callee)) return second;
  return TEST.test(callee) ? third : null;
}

/** Limits in which a busy machine may not be done. */
export function shortLimits(program: Node): readonly Node[] {
  const numbers = new Numbers(program);
  return [...nodesOf(program)].filter(
    (node) => (numbers.valueOf(limitOf(node)) ?? Infinity) < LEAST_LIMIT_MS,
  );
}
