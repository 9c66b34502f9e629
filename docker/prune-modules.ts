import { existsSync, lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * Removes the files from node_modules that the built workspace never loads: `node docker/prune-modules.ts <workspace>`,
 * run in the project's folder after `npm ci --omit=dev`. In an image they only add size and findings of vulnerability
 * scanners. docker/verify-image.sh starts the result and tests it.
 */

/**
 * Dependencies that only build tools call. `@sentry/node` names its bundler plugins, which bring a command line,
 * Babel, a browser database and a native parser; no file of the server SDK imports them.
 */
const NOT_LOADED: ReadonlySet<string> = new Set(['@sentry/bundler-plugins']);

/** Copies of packages in module formats that Node does not load: the backend is ESM, and rxjs gives Node CommonJS. */
const OTHER_FORMATS: Readonly<Record<string, readonly string[]>> = {
  '@sentry/core': ['build/cjs'],
  '@sentry/nestjs': ['build/cjs'],
  '@sentry/node': ['build/cjs'],
  '@sentry/opentelemetry': ['build/cjs'],
  '@sentry/server-runtime-injection': ['build/cjs'],
  '@sentry/server-utils': ['build/cjs'],
  rxjs: ['dist/bundles', 'dist/esm', 'dist/esm5', 'src'],
};

/** Types, source maps, documentation and tests. Licences stay under every name. */
const DEAD_FILE = /\.(map|md|markdown|flow|tsbuildinfo|ts|mts|cts|(spec|test)\.[cm]?js)$/i;
const LICENCE_FILE = /^(licen[cs]e|notice|copying|third-party-licen[cs]e)/i;
const TEST_FOLDER = /^(test|tests|__tests__|example|examples)$/;

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const root = process.cwd();

function neededBy(folder: string): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
}

/** Returns the path at which Node finds a package that `folder` imports; undefined when it is not installed (an optional peer). */
function folderOf(name: string, folder: string): string | undefined {
  for (let at = folder; at.startsWith(root); at = dirname(at)) {
    const candidate = join(at, 'node_modules', name);
    if (existsSync(candidate)) return candidate;
  }
  return undefined;
}

function reachableFrom(workspace: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [workspace];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const name of neededBy(folder)) {
      const found = NOT_LOADED.has(name) ? undefined : folderOf(name, folder);
      if (found === undefined || reached.has(found)) continue;
      reached.add(found);
      open.push(found);
    }
  }
  return reached;
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** Lists the packages of a node_modules folder and removes its other entries (.bin, links to workspaces). */
function packagesIn(modules: string): readonly string[] {
  if (!existsSync(modules)) return [];
  return readdirSync(modules).flatMap((name) => {
    const path = join(modules, name);
    if (name.startsWith('@')) return readdirSync(path).map((scoped) => join(path, scoped));
    if (!name.startsWith('.')) return [path];
    remove(path);
    return [];
  });
}

function keepOnly(reached: ReadonlySet<string>, modules: string): void {
  for (const folder of packagesIn(modules)) {
    if (reached.has(folder)) keepOnly(reached, join(folder, 'node_modules'));
    else remove(folder);
  }
}

/** Removes the files that are never loaded, then empty folders. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (lstatSync(path).isDirectory()) {
      const isPackageFolder = existsSync(join(folder, 'package.json'));
      if (isPackageFolder && TEST_FOLDER.test(name)) remove(path);
      else sweep(path);
    } else if (DEAD_FILE.test(name) && !LICENCE_FILE.test(name)) {
      remove(path);
    }
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

const workspace = resolve(root, process.argv[2] ?? '.');
const reached = reachableFrom(workspace);
for (const modules of [join(root, 'node_modules'), join(workspace, 'node_modules')]) {
  keepOnly(reached, modules);
  if (existsSync(modules)) sweep(modules);
}
for (const folder of reached) {
  const name = basename(dirname(folder)).startsWith('@')
    ? `${basename(dirname(folder))}/${basename(folder)}`
    : basename(folder);
  for (const format of OTHER_FORMATS[name] ?? []) remove(join(folder, format));
}
process.stdout.write(`kept ${reached.size} packages\n`);
