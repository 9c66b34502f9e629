import {
  argumentsOf,
  bare,
  calleeOf,
  moduleOf,
  named,
  nodesOf,
  part,
  parts,
  pathOf,
  takenBy,
  textOf,
  type Node,
} from './tree.ts';

const TIMERS = /^(node:)?timers\/promises$/;
const RUNS = /(^|\.)((exec|execFile|spawn)(Sync)?|promisify\(\))$/;
const RUNS_SLEEP = /(^|[\s;&|(])sleep(\s+[\d.]|$)/;

/** Whether an import gives a timer that can be awaited. A whole module gives it too, and hides it from this check. */
function importsTimer(node: Node): boolean {
  if (!TIMERS.test(moduleOf(node))) return false;
  if (node.type !== 'ImportDeclaration') return true;
  return parts(node, 'specifiers').some(
    ({ type, imported }) =>
      type !== 'ImportSpecifier' || /^(setTimeout|setInterval|scheduler|default)$/.test(named(imported)),
  );
}

const isTimer = (node: Node): boolean => /(^|\.)setTimeout$/.test(calleeOf(node));

function resolvesLater(timer: Node, resolvers: ReadonlySet<string>): boolean {
  const [callback] = argumentsOf(timer);
  return callback !== undefined && [...nodesOf(callback)].some((each) => resolvers.has(pathOf(each)));
}

/** The timers in `new Promise(…)` that resolve it. */
function timersOfPromise(node: Node): readonly Node[] {
  const [executor] = calleeOf(node) === 'Promise' ? argumentsOf(node) : [];
  const resolve = executor === undefined ? '' : named(parts(executor, 'params')[0]);
  if (executor === undefined || resolve === '') return [];
  return [...nodesOf(executor)].filter((each) => isTimer(each) && resolvesLater(each, new Set([resolve])));
}

/** What resolves the promises of Promise.withResolvers: `resolve`, or `gate.resolve`. */
function resolversOf(all: readonly Node[]): ReadonlySet<string> {
  const names = all.flatMap((node) => {
    const [id, init] = [part(node, 'id'), part(node, 'init')];
    if (node.type !== 'VariableDeclarator' || init === null) return [];
    if (calleeOf(bare(init)) !== 'Promise.withResolvers') return [];
    const taken = takenBy(id).flatMap(([key, name]) => (key === 'resolve' ? [name] : []));
    return id?.type === 'Identifier' ? [`${named(id)}.resolve`] : taken;
  });
  return new Set(names);
}

function runsSleep(node: Node): boolean {
  if (!RUNS.test(calleeOf(node))) return false;
  return argumentsOf(node).some((each) => [...nodesOf(each)].some((text) => RUNS_SLEEP.test(textOf(text))));
}

/** Waits for a time to pass, or for a silence, which is a time too. */
export function sleeps(program: Node): readonly Node[] {
  const all = [...nodesOf(program)];
  const resolvers = resolversOf(all);
  const resolving = new Set(all.flatMap(timersOfPromise));
  return all.filter((node) => {
    const callee = calleeOf(node);
    if (callee.endsWith('.waitForTimeout') || callee === 'Atomics.wait') return true;
    if (/(^|\.)promisify$/.test(callee))
      return argumentsOf(node).some((each) => pathOf(each) === 'setTimeout');
    if (isTimer(node) && (resolving.has(node) || resolvesLater(node, resolvers))) return true;
    return importsTimer(node) || runsSleep(node) || textOf(node) === 'networkidle';
  });
}
