import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { TIMING_EXCEPTIONS, type TimingException } from './timing-exceptions.ts';
import { trackedFiles } from './tracked-files.ts';

/**
 * Refuses what makes the verdict of a test depend on the load of the machine: a comparison with the time that passed, a
 * sleep, a time limit below the watchdog, and a port that is picked now and used later. CONTRIBUTING.md says what to write
 * in their place. timing-exceptions.ts lists the places that need one, with their reasons.
 */

export type Rule = 'clock' | 'sleep' | 'limit' | 'port';

export interface Fault {
  readonly line: number;
  readonly rule: Rule;
  readonly text: string;
}

const TEST = /\.(spec|suite|fixture)\.tsx?$|\/test\/.*\.ts$|^e2e\/.*\.ts$/;
/** The limit of a single wait in the runners' settings. A smaller one fails on a busy machine. */
const LEAST_LIMIT_MS = 60_000;

const COMPARES = /^(toBeLessThan|toBeGreaterThan|toBeCloseTo|toBeWithin|atMost|atLeast)/;
/** The experiments judge a time in `make faults` only, and only while the machine did not stall. */
const MEASURES = /\.(timed|duration)$/;
const OPERATORS = new Set(['<', '>', '<=', '>=']);
const FREE_PORT = /^(pick|find|get|any)?[Ff]reePorts?$|^(get|unused|available)Port$/;
/** Names that hold a time that passed, wherever they come from. */
const ELAPSED = /^(elapsed|took|durationMs|seconds?Since|since)/i;
const TIMERS = new Set(['timers/promises', 'node:timers/promises']);

/** A node of the syntax tree, by ESTree and TypeScript-ESTree. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode));
}

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesOf(child);
}

const named = (node: unknown): string =>
  isNode(node) && (node.type === 'Identifier' || node.type === 'PrivateIdentifier')
    ? String(node['name'])
    : '';
const part = (node: Node, key: string): Node | null => (isNode(node[key]) ? node[key] : null);
const parts = (node: Node, key: string): readonly Node[] =>
  Array.isArray(node[key]) ? node[key].filter(isNode) : [];

/** `performance.now` for the call `performance.now()`; `expect.poll` for `expect.poll(…)`; `since` for `since(…)`. */
function calleeOf(node: Node): string {
  const callee =
    node.type === 'CallExpression' || node.type === 'NewExpression' ? part(node, 'callee') : null;
  if (callee === null) return '';
  if (callee.type !== 'MemberExpression') return named(callee);
  return `${named(callee['object'])}.${named(callee['property'])}`;
}

/** Finds the faults of one file. */
class TestFile {
  readonly faults: Fault[] = [];
  readonly #text: string;
  readonly #program: Node;
  /** Names of variables and functions that hold or return a time of the clock. */
  readonly #clocks = new Set<string>();
  readonly #numbers = new Map<string, number>();

  constructor(file: string, text: string) {
    this.#text = text;
    this.#program = parseSync(file, text).program as unknown as Node;
    this.#learn();
    const judged = [...nodesOf(this.#program)].filter((node) => MEASURES.test(calleeOf(node)));
    const isJudged = new Set(judged.flatMap((call) => [...nodesOf(call)]));
    for (const node of nodesOf(this.#program)) this.#look(node, isJudged.has(node));
  }

  /** Learns the names until no new one is found: a name may come from a name below it. */
  #learn(): void {
    for (let before = -1; before !== this.#clocks.size;) {
      before = this.#clocks.size;
      for (const node of nodesOf(this.#program)) {
        const name = named(node['id']);
        if (node.type === 'VariableDeclarator' && isNode(node['init'])) {
          const value = this.#valueOf(node['init']);
          if (value !== null) this.#numbers.set(name, value);
          if (this.#isClock(node['init'])) this.#clocks.add(name);
        }
        if (node.type === 'FunctionDeclaration' && this.#returnsClock(node)) this.#clocks.add(name);
      }
    }
  }

  /** Whether an expression is a time of the clock or a difference of such times. */
  #isClock(node: Node): boolean {
    const name = named(node);
    if (name !== '') return this.#clocks.has(name) || ELAPSED.test(name);
    const callee = calleeOf(node);
    if (/^(performance\.now|Date\.now|process\.(hrtime|uptime)|hrtime\.bigint)$/.test(callee)) return true;
    if (this.#clocks.has(callee) || ELAPSED.test(callee)) return true;
    if (callee === 'Date' && parts(node, 'arguments').length === 0) return true;
    if (callee.startsWith('Math.') || callee === 'Number') {
      return parts(node, 'arguments').some((each) => this.#isClock(each));
    }
    if (node.type === 'ArrowFunctionExpression') return this.#returnsClock(node);
    if (node.type === 'MemberExpression') return ELAPSED.test(named(node['property']));
    const wrapping = ['BinaryExpression', 'AwaitExpression', 'TSAsExpression', 'ParenthesizedExpression'];
    return wrapping.includes(node.type) && childrenOf(node).some((child) => this.#isClock(child));
  }

  #returnsClock(node: Node): boolean {
    const body = part(node, 'body');
    if (body === null) return false;
    if (body.type !== 'BlockStatement') return this.#isClock(body);
    return [...nodesOf(body)].some(
      ({ type, argument }) => type === 'ReturnStatement' && isNode(argument) && this.#isClock(argument),
    );
  }

  /** The value of a constant expression; null where it is none. */
  #valueOf(node: Node): number | null {
    if (node.type === 'Literal') return typeof node['value'] === 'number' ? node['value'] : null;
    if (node.type === 'Identifier') return this.#numbers.get(named(node)) ?? null;
    if (node.type !== 'BinaryExpression') return null;
    const [left, right] = [part(node, 'left'), part(node, 'right')].map(
      (side) => side && this.#valueOf(side),
    );
    if (left === null || left === undefined || right === null || right === undefined) return null;
    if (node['operator'] === '+') return left + right;
    if (node['operator'] === '*') return left * right;
    return null;
  }

  #look(node: Node, isJudged: boolean): void {
    if (!isJudged && this.#comparesClock(node))
      this.#add(node, 'clock', 'compares with the time that passed');
    if (this.#sleeps(node)) this.#add(node, 'sleep', 'sleeps: wait for a condition, or inject the timer');
    if (this.#isShortLimit(node)) this.#add(node, 'limit', `a time limit below ${LEAST_LIMIT_MS / 1_000} s`);
    if (this.#picksPort(node))
      this.#add(node, 'port', 'a free port can be taken before it is used: listen on 0');
  }

  #add(node: Node, rule: Rule, text: string): void {
    this.faults.push({ line: this.#text.slice(0, node.start).split('\n').length, rule, text });
  }

  #comparesClock(node: Node): boolean {
    if (node.type === 'BinaryExpression' && OPERATORS.has(String(node['operator']))) {
      return childrenOf(node).some((side) => this.#isClock(side));
    }
    const callee = node.type === 'CallExpression' ? part(node, 'callee') : null;
    if (callee?.type !== 'MemberExpression' || !COMPARES.test(named(callee['property']))) return false;
    // The subject: expect(subject).not.toBeLessThan(limit), findings.atMost(name, subject, limit).
    const calls = [...nodesOf(callee)].filter(({ type }) => type === 'CallExpression');
    const subjects = [node, ...calls].flatMap((call) => parts(call, 'arguments'));
    return subjects.some((subject) => this.#isClock(subject));
  }

  #sleeps(node: Node): boolean {
    if (node.type === 'ImportDeclaration' && TIMERS.has(String(part(node, 'source')?.['value']))) {
      return parts(node, 'specifiers').some(({ imported }) =>
        /^(setTimeout|scheduler)$/.test(named(imported)),
      );
    }
    const callee = calleeOf(node);
    if (callee.endsWith('.waitForTimeout') || callee === 'Atomics.wait') return true;
    if (callee !== 'Promise' || node.type !== 'NewExpression') return false;
    const [executor] = parts(node, 'arguments');
    if (executor === undefined) return false;
    const resolve = named(parts(executor, 'params')[0]);
    const timers = [...nodesOf(executor)].filter((each) => /(^|\.)setTimeout$/.test(calleeOf(each)));
    return timers.some((timer) => {
      const [callback] = parts(timer, 'arguments');
      return callback !== undefined && [...nodesOf(callback)].some((each) => named(each) === resolve);
    });
  }

  #isShortLimit(node: Node): boolean {
    const isShort = (value: Node | null | undefined): boolean =>
      isNode(value) && (this.#valueOf(value) ?? Infinity) < LEAST_LIMIT_MS;
    if (node.type === 'Property' && named(node['key']) === 'timeout') return isShort(part(node, 'value'));
    const callee = calleeOf(node);
    const [first, , third] = parts(node, 'arguments');
    if (/^(test|jest)\.setTimeout$|^AbortSignal\.timeout$/.test(callee)) return isShort(first);
    return /^(it|test|beforeAll|beforeEach|afterAll|afterEach)$/.test(callee) && isShort(third);
  }

  /** A name such as freePort, or a port that outlives its listener: it is returned, or resolved, after close(). */
  #picksPort(node: Node): boolean {
    if (node.type === 'FunctionDeclaration' || node.type === 'ImportSpecifier') {
      return [node['id'], node['imported']].some((name) => FREE_PORT.test(named(name)));
    }
    const callee = node.type === 'CallExpression' ? part(node, 'callee') : null;
    if (FREE_PORT.test(calleeOf(node))) return true;
    if (callee?.type === 'MemberExpression' && named(callee['property']) === 'close') {
      const [callback] = parts(node, 'arguments');
      return callback !== undefined && mentionsPort(callback);
    }
    return node.type === 'BlockStatement' && returnsPortAfterClose(parts(node, 'body'));
  }
}

function mentionsPort(node: Node): boolean {
  return [...nodesOf(node)].some((each) => /^(port|address)$/i.test(named(each)));
}

function returnsPortAfterClose(statements: readonly Node[]): boolean {
  const closing = statements.findIndex((statement) =>
    [...nodesOf(statement)].some((each) => /(^|\.)close$/.test(calleeOf(each))),
  );
  const after = closing < 0 ? [] : statements.slice(closing + 1);
  return after.some((statement) => statement.type === 'ReturnStatement' && mentionsPort(statement));
}

/** Lists the faults of a test file. @throws SyntaxError never: a file that cannot be parsed is left to the compiler. */
export function checkTest(file: string, text: string): readonly Fault[] {
  return new TestFile(file, text).faults;
}

/** Lists the faults of all files that no exception covers, and the exceptions that cover nothing. */
export function checkTests(
  files: ReadonlyMap<string, string>,
  exceptions: readonly TimingException[],
): readonly string[] {
  const left = new Map(exceptions.map((each) => [`${each.rule} ${each.file}`, each]));
  const lines: string[] = [];
  for (const [file, text] of files) {
    for (const [rule, faults] of Map.groupBy(checkTest(file, text), (fault) => fault.rule)) {
      const allowed = left.get(`${rule} ${file}`)?.count ?? 0;
      if (faults.length <= allowed) {
        if (faults.length === allowed) left.delete(`${rule} ${file}`);
        continue;
      }
      left.delete(`${rule} ${file}`);
      const note = allowed === 0 ? '' : ` (${faults.length} of them, timing-exceptions.ts allows ${allowed})`;
      lines.push(...faults.map((fault) => `${file}:${fault.line}: ${fault.rule}: ${fault.text}${note}`));
    }
  }
  return [...lines, ...[...left.keys()].map((key) => `timing-exceptions.ts: out of date: ${key}`)];
}

if (import.meta.main) {
  const paths = trackedFiles('.').filter((path) => TEST.test(path));
  const files = new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]));
  const faults = checkTests(files, TIMING_EXCEPTIONS);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}
