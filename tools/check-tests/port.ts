import {
  argumentsOf,
  calleeOf,
  isNoFunction,
  moduleOf,
  named,
  nodesOf,
  part,
  parts,
  takenBy,
  type Node,
} from './tree.ts';

const FREE_PORT = /^(pick|find|get|any)?[Ff]reePorts?$|^(get|unused|available)Port$/;
const PACKAGES = /^(get-port|detect-port|portfinder)$/;
const PORT = /^(port|address)$/i;
const CLOSES = /(^|\.)close$/;

const mentions = (node: Node, name: RegExp): boolean =>
  [...nodesOf(node)].some((each) => name.test(named(each)));

/** The close() calls that a statement makes itself, or in the executor of a promise: `new Promise((done) => a.close(done))`. */
function closesIn(statement: Node): readonly string[] {
  const own = [...nodesOf(statement, isNoFunction)];
  const executors = own.filter((node) => calleeOf(node) === 'Promise').flatMap(argumentsOf);
  const inPromises = executors.flatMap((executor) => [...nodesOf(executor, isNoFunction)]);
  return [...own, ...inPromises].map(calleeOf).filter((callee) => CLOSES.test(callee));
}

/** Whether the callback of close() hands a port on: `() => resolve(port)`, not `() => ports.delete(port)`. */
function handsPortOn(callback: Node): boolean {
  return [...nodesOf(callback)].some(
    (call) =>
      /^(\w+|.+\.resolve)$/.test(calleeOf(call)) && argumentsOf(call).some((each) => mentions(each, PORT)),
  );
}

/** Whether an expression uses a variable; a member or a key of the same name is another thing. */
function uses(node: Node, name: string): boolean {
  if (named(node) === name) return true;
  const isName = (key: string): boolean =>
    node['computed'] !== true && (key === 'property' || (key === 'key' && node['shorthand'] !== true));
  return Object.keys(node).some((key) => {
    if (isName(key)) return false;
    const one = part(node, key);
    return (one === null ? parts(node, key) : [one]).some((child) => uses(child, name));
  });
}

/** The variables of a block that hold a port, with the path of their server: `const { port } = server.address()`. */
function portsOf(statements: readonly Node[]): readonly (readonly [name: string, server: string])[] {
  return statements.flatMap((statement) =>
    parts(statement, 'declarations').flatMap((declarator) => {
      const [id, init] = [part(declarator, 'id'), part(declarator, 'init')];
      const asked = init === null ? [] : [...nodesOf(init)].map(calleeOf);
      const server = asked.find((callee) => callee.endsWith('.address'))?.slice(0, -'.address'.length);
      const names = id?.type === 'ObjectPattern' ? takenBy(id).map(([, name]) => name) : [named(id)];
      return server === undefined ? [] : names.map((name) => [name, server] as const);
    }),
  );
}

/** A port that is returned after any close(), or used after the close() of its server. */
function outlivesServer(statements: readonly Node[]): boolean {
  const ports = portsOf(statements);
  return statements.some((statement, at) => {
    const closed = closesIn(statement);
    const after = closed.length === 0 ? [] : statements.slice(at + 1);
    const gone = ports.filter(([, server]) => closed.includes(`${server}.close`));
    return after.some(
      (each) =>
        (each.type === 'ReturnStatement' && mentions(each, PORT)) || gone.some(([name]) => uses(each, name)),
    );
  });
}

/** Whether a statement returns a port itself, not what a call made of it. */
function returnsPort(statement: Node): boolean {
  return [...nodesOf(statement, isNoFunction)].some((each) => {
    if (each.type !== 'ReturnStatement' || !mentions(each, PORT)) return false;
    return [...nodesOf(each)].map(calleeOf).every((callee) => callee === '' || callee.endsWith('.address'));
  });
}

/** A port that is returned from a block whose end closes the server: by `using`, or by `finally`. */
function leavesWithPort(node: Node): boolean {
  if (node.type === 'TryStatement') {
    const [block, finalizer] = [part(node, 'block'), part(node, 'finalizer')];
    return block !== null && finalizer !== null && closesIn(finalizer).length > 0 && returnsPort(block);
  }
  const statements = node.type === 'BlockStatement' ? parts(node, 'body') : [];
  const servers = statements
    .filter(({ kind }) => String(kind).endsWith('using'))
    .flatMap((each) => parts(each, 'declarations').map((declarator) => named(declarator['id'])));
  const ports = portsOf(statements).filter(([, server]) => servers.includes(server));
  return statements.some(
    (each) =>
      returnsPort(each) &&
      (ports.some(([name]) => uses(each, name)) || servers.some((server) => uses(each, server))),
  );
}

function picksPort(node: Node): boolean {
  if (PACKAGES.test(moduleOf(node)) || FREE_PORT.test(calleeOf(node))) return true;
  if (node.type === 'FunctionDeclaration' || node.type === 'ImportSpecifier') {
    return [node['id'], node['imported']].some((name) => FREE_PORT.test(named(name)));
  }
  if (CLOSES.test(calleeOf(node))) return argumentsOf(node).some(handsPortOn);
  if (leavesWithPort(node)) return true;
  return /^(BlockStatement|Program)$/.test(node.type) && outlivesServer(parts(node, 'body'));
}

/** Ports that are picked now and used later: names such as freePort, and ports that outlive their server. */
export function pickedPorts(program: Node): readonly Node[] {
  return [...nodesOf(program)].filter(picksPort);
}
