/** As `engines` in package.json, which npm only warns about. */
const MIN_NODE = [24, 9] as const;

/** @throws Error with one line and no stack when this process has an older Node than the code needs. */
export function requireNode(version = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])) return;
  const fault = new Error(`Errata needs Node ${MIN_NODE.join('.')} or newer; this process has ${version}`);
  Reflect.deleteProperty(fault, 'stack');
  throw fault;
}

// A module that imports this one first has the check before all others run: libraries fail on an older Node as they load. All
// of them are linked before, so that no file may name an export of `node:` that Node 20 lacks (zstd of node:zlib).
requireNode();
