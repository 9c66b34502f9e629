import {
  argumentsOf,
  bare,
  calleeOf,
  childrenOf,
  isNode,
  named,
  nodesOf,
  part,
  parts,
  pathOf,
  takenBy,
  type Node,
} from './tree.ts';

const COMPARES = /^(toBeLessThan|toBeGreaterThan|toBeCloseTo|toBeWithin|atMost|atLeast)/;
/** The experiments judge a time in `make faults` only, and only while the machine did not stall. */
const MEASURES = /\.(timed|duration)$/;
const RELATIONS = new Set(['<', '>', '<=', '>=']);
const ARITHMETIC = new Set(['+', '-', '*', '/', '%']);
const CLOCK = /^(performance\.now|Date\.now|process\.uptime|(process\.)?hrtime(\.bigint)?)$/;
/** Functions whose result is a time when an argument is one. */
const CONVERTS = /^(Math\.\w+|Number|BigInt|Number\.parse\w+|BigInt\.as\w+|Date)$/;
const METHODS = /\.(getTime|valueOf|toFixed)$/;
/** Names that hold a time that passed, wherever they come from. */
const ELAPSED =
  /^((elapsed|took|since)(S|Ms|Seconds|[A-Z]\w*Ms)?|durationMs|seconds?Since\w*|(ELAPSED|TOOK)_M?S)$/;
/** Names that hold such a time as members of a result. */
const MEASURED = /^(ms|latencyMs)$/;
/** Names of moments; their difference is a time that passed. */
const MOMENT = /(^|\.|[a-z])[aA]tMs$/;

const last = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** The names of a file that hold or return a time of the clock. */
class Clocks {
  readonly #names = new Set<string>();

  constructor(program: Node) {
    // Until no new name is found: a name may come from a name below it.
    for (let before = -1; before !== this.#names.size;) {
      before = this.#names.size;
      for (const node of nodesOf(program)) this.#learn(node);
    }
  }

  #learn(node: Node): void {
    const [id, init] = [part(node, 'id'), part(node, 'init')];
    if (node.type === 'VariableDeclarator' && init !== null) {
      const names = id?.type === 'ArrayPattern' ? parts(id, 'elements').map(named) : [named(id)];
      if (this.isClock(init)) for (const name of names) this.#names.add(name);
      for (const [key, name] of takenBy(id)) {
        if (CLOCK.test(`${pathOf(init)}.${key}`)) this.#names.add(name);
      }
    }
    const right = node.type === 'AssignmentExpression' ? part(node, 'right') : null;
    if (right !== null && this.isClock(right)) this.#names.add(named(node['left']));
    if (node.type === 'FunctionDeclaration' && this.#returnsClock(node)) this.#names.add(named(id));
    this.#names.delete('');
  }

  /** Whether an expression is a time of the clock or a difference of such times. */
  isClock(wrapped: Node): boolean {
    const node = bare(wrapped);
    const name = named(node);
    if (name !== '') return this.#names.has(name) || ELAPSED.test(name);
    const callee = calleeOf(node);
    if (callee !== '') return this.#returnsTime(node, callee);
    if (node.type === 'ArrowFunctionExpression') return this.#returnsClock(node);
    if (node.type === 'MemberExpression') return this.#isClockMember(node);
    if (node.type === 'BinaryExpression') {
      return ARITHMETIC.has(String(node['operator'])) && (isGap(node) || this.#hasClock(childrenOf(node)));
    }
    if (node.type === 'ConditionalExpression') {
      return this.#hasClock([part(node, 'consequent'), part(node, 'alternate')].filter(isNode));
    }
    return ['UnaryExpression', 'LogicalExpression'].includes(node.type) && this.#hasClock(childrenOf(node));
  }

  #hasClock(nodes: readonly Node[]): boolean {
    return nodes.some((each) => this.isClock(each));
  }

  #isClockMember(node: Node): boolean {
    const [object, path] = [part(node, 'object'), pathOf(node)];
    if (ELAPSED.test(last(path)) || MEASURED.test(last(path)) || CLOCK.test(path)) return true;
    return node['computed'] === true && object !== null && this.isClock(object);
  }

  #returnsTime(node: Node, callee: string): boolean {
    if (CLOCK.test(callee) || this.#names.has(callee) || ELAPSED.test(last(callee))) return true;
    if (callee === 'Date' && argumentsOf(node).length === 0) return true;
    if (CONVERTS.test(callee)) return this.#hasClock(argumentsOf(node));
    const object = part(part(node, 'callee') ?? node, 'object');
    return METHODS.test(callee) && object !== null && this.isClock(object);
  }

  #returnsClock(node: Node): boolean {
    const body = part(node, 'body');
    if (body === null) return false;
    if (body.type !== 'BlockStatement') return this.isClock(body);
    return [...nodesOf(body)].some(
      ({ type, argument }) => type === 'ReturnStatement' && isNode(argument) && this.isClock(argument),
    );
  }

  compares(node: Node): boolean {
    if (node.type === 'BinaryExpression' && RELATIONS.has(String(node['operator']))) {
      return this.#hasClock(childrenOf(node));
    }
    const callee = node.type === 'CallExpression' ? part(node, 'callee') : null;
    if (callee?.type !== 'MemberExpression' || !COMPARES.test(named(callee['property']))) return false;
    // The subject: expect(subject).not.toBeLessThan(limit), findings.atMost(name, subject, limit).
    const calls = [...nodesOf(callee)].filter(({ type }) => type === 'CallExpression');
    return this.#hasClock([node, ...calls].flatMap(argumentsOf));
  }
}

/** A difference of two moments: `second.atMs - (first?.atMs ?? 0)`. */
function isGap(node: Node): boolean {
  const sides = [part(node, 'left'), part(node, 'right')].map((side) => {
    const inner = side === null ? null : bare(side);
    return pathOf(inner?.type === 'LogicalExpression' ? part(inner, 'left') : inner);
  });
  return node['operator'] === '-' && sides.every((side) => MOMENT.test(side));
}

/** Comparisons with the time that passed. */
export function comparedTimes(program: Node): readonly Node[] {
  const clocks = new Clocks(program);
  const all = [...nodesOf(program)];
  const judged = all.filter((node) => MEASURES.test(calleeOf(node)));
  const isJudged = new Set(judged.flatMap((call) => [...nodesOf(call)]));
  return all.filter((node) => !isJudged.has(node) && clocks.compares(node));
}
