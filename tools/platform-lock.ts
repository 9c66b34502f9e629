import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Adds the builds for other platforms that packages pin (compilers for macOS, …) to package-lock.json.
 *
 * With a registry that mirrors only one platform `npm install` omits them, and then `npm ci` rejects the lock file on
 * every machine. Run it after `npm install`; `--check` fails when a build is missing.
 */

interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly license?: string;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

interface Lock {
  packages: Record<string, LockedPackage>;
}

const path = join(import.meta.dirname, '..', 'package-lock.json');
const EXACT_VERSION = /^\d/;
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/darwin/, 'darwin'],
  [/win32|windows/, 'win32'],
  [/freebsd/, 'freebsd'],
  [/android/, 'android'],
  [/openharmony/, 'openharmony'],
  [/linux/, 'linux'],
];
const PROCESSOR = /(arm64|x64|ia32|ppc64|s390x|riscv64|loong64|arm(?!64)|wasm32)/;

/** Returns the package that Node resolves from `from`, or undefined. */
function resolve(packages: Lock['packages'], from: string, name: string): LockedPackage | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const found = packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`];
    if (found !== undefined || folder === '') return found;
  }
}

function platformBuild(name: string, version: string, isDev: boolean): LockedPackage {
  const system = SYSTEMS.find(([pattern]) => pattern.test(name))?.[1];
  const processor = PROCESSOR.exec(name)?.[1];
  return {
    version,
    ...(processor === undefined ? {} : { cpu: [processor] }),
    ...(isDev ? { dev: true } : {}),
    ...(name.includes('musl') ? { libc: ['musl'] } : {}),
    license: 'MIT',
    optional: true,
    ...(system === undefined ? {} : { os: [system] }),
  };
}

/** Adds the missing builds and returns their names. */
function complete(packages: Lock['packages']): readonly string[] {
  const added: string[] = [];
  for (const [from, { dev = false, optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (!EXACT_VERSION.test(version) || resolve(packages, from, name)?.version === version) continue;
      const beside = `${from.slice(0, from.lastIndexOf('node_modules/'))}node_modules/${name}`;
      const place = packages[beside] === undefined ? beside : `${from}/node_modules/${name}`;
      packages[place] = platformBuild(name, version, dev);
      added.push(`${name}@${version}`);
    }
  }
  return added;
}

const lock = JSON.parse(readFileSync(path, 'utf8')) as Lock;
const missing = complete(lock.packages);
if (process.argv.includes('--check')) {
  for (const name of missing) process.stderr.write(`package-lock.json lacks ${name}\n`);
  if (missing.length > 0) process.stderr.write('Run `node tools/platform-lock.ts`.\n');
  process.exitCode = missing.length > 0 ? 1 : 0;
} else if (missing.length > 0) {
  const sorted = Object.entries(lock.packages).sort(([one], [other]) => one.localeCompare(other, 'en'));
  writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
  process.stdout.write(`added ${missing.length} builds for other platforms\n`);
}
