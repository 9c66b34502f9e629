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
}

type Packages = Record<string, LockedPackage>;

const path = join(import.meta.dirname, '..', 'package-lock.json');
const SYSTEMS = ['darwin', 'win32', 'freebsd', 'android', 'openharmony', 'linux'];
const PROCESSORS = ['arm64', 'x64', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'arm', 'wasm32'];

/** Returns the package that Node resolves from `from`, or undefined. */
function resolve(packages: Packages, from: string, name: string): LockedPackage | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const found = packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`];
    if (found !== undefined || folder === '') return found;
  }
}

/**
 * Returns an entry with what the name of the build says, by which npm chooses the one to install. All else, such as the
 * license and the hash, only the registry knows: npm adds it where it finds the build.
 */
function platformBuild(name: string, version: string, isDev: boolean): LockedPackage {
  // Names such as linux-arm-musleabihf and windows-x64.
  const words = name.replace('windows', 'win32').split(/[/-]|eabi/);
  const listed = (key: string, values: readonly string[]) => {
    const found = words.filter((word) => values.includes(word));
    return found.length === 0 ? {} : { [key]: found };
  };
  const [dev, optional] = [isDev ? { dev: true } : {}, { optional: true }];
  const [cpu, libc, os] = [listed('cpu', PROCESSORS), listed('libc', ['musl']), listed('os', SYSTEMS)];
  return { version, ...cpu, ...dev, ...libc, ...optional, ...os };
}

/** Adds the missing builds and returns their names. */
function complete(packages: Packages): readonly string[] {
  const added: string[] = [];
  for (const [from, { dev = false, optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const isExact = /^\d/.test(version);
      if (!isExact || resolve(packages, from, name)?.version === version) continue;
      const beside = `${from.slice(0, from.lastIndexOf('node_modules/'))}node_modules/${name}`;
      const place = packages[beside] === undefined ? beside : `${from}/node_modules/${name}`;
      packages[place] = platformBuild(name, version, dev);
      added.push(`${name}@${version}`);
    }
  }
  return added;
}

const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Packages };
const missing = complete(lock.packages);
if (process.argv.includes('--check')) {
  for (const name of missing) process.stderr.write(`${name} is missing: run node tools/platform-lock.ts.\n`);
  process.exitCode = missing.length > 0 ? 1 : 0;
} else if (missing.length > 0) {
  const sorted = Object.entries(lock.packages).toSorted(([one], [other]) => one.localeCompare(other, 'en'));
  writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
  process.stdout.write(`added ${missing.length} builds for other platforms\n`);
}
