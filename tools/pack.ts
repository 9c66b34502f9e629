import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * Packs the two packages for applications of others, from the built backend and frontend into build/: the Nest module with
 * the console's pages, and the React package. They have manifests of their own, because the workspace's export sources.
 */

/** The names stand here only: the owner reserves them before the first release to a registry. */
const NEST_PACKAGE = 'errata-nest';
const REACT_PACKAGE = 'errata-react';

/** Dependencies that the application brings: a second copy of Nest or React would not know the first one's parts. */
const NEST_PEERS = ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'reflect-metadata', 'rxjs'];
const REACT_PEERS = { react: '>=18', 'react-dom': '>=18' };
/** A package of this size installs in a second or two on a slow line. */
const MAX_BYTES = 2 * 2 ** 20;

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

const ROOT = join(import.meta.dirname, '..');
const BUILD = join(ROOT, 'build');

function manifestOf(folder: string): Manifest {
  // Edge: a file of this repository.
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;
}

/** Packs what lies in `dist` of a staged package. Returns the path of the tarball. @throws Error when it is too large. */
function pack(name: string, entry: string, manifest: object): string {
  const folder = join(BUILD, 'packages', name);
  const exports = { '.': { types: `./dist/${entry}.d.ts`, default: `./dist/${entry}.js` } };
  const { version, license } = manifestOf('backend');
  const all = { name, version, license, type: 'module', files: ['dist'], exports, ...manifest };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(all, null, 2)}\n`);
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(ROOT, name === NEST_PACKAGE ? 'backend' : 'frontend', 'README.md'), join(folder, 'README.md'));
  execFileSync('npm', ['pack', '--silent', '--pack-destination', BUILD], { cwd: folder });
  const tarball = join(BUILD, `${name}-${version}.tgz`);
  if (statSync(tarball).size > MAX_BYTES) throw new Error(`${tarball} has more than ${MAX_BYTES} bytes`);
  return tarball;
}

/** Returns an empty `dist` of a package. */
function stage(name: string): string {
  const folder = join(BUILD, 'packages', name);
  rmSync(folder, { recursive: true, force: true });
  return join(folder, 'dist');
}

/** Returns the path of the Nest module's tarball. */
export function packNest(): string {
  const dist = stage(NEST_PACKAGE);
  // Source maps are two thirds of the size; the application installs the libraries itself.
  const isNeeded = (path: string): boolean => !/\.(map|tsbuildinfo)$|^node_modules$/.test(basename(path));
  cpSync(join(ROOT, 'backend', 'dist'), dist, { recursive: true, filter: isNeeded });
  cpSync(join(ROOT, 'frontend', 'dist'), join(dist, 'client'), { recursive: true, filter: isNeeded });
  const all = Object.entries(manifestOf('backend').dependencies);
  return pack(NEST_PACKAGE, 'error-reporting.module', {
    description: 'Error pages with a digest, a durable tunnel and an error store for a Nest application.',
    engines: manifestOf('.').engines,
    dependencies: Object.fromEntries(all.filter(([name]) => !NEST_PEERS.includes(name))),
    peerDependencies: Object.fromEntries(all.filter(([name]) => NEST_PEERS.includes(name))),
  });
}

/** Returns the path of the React package's tarball. */
export function packReact(): string {
  const dist = stage(REACT_PACKAGE);
  const types = join(BUILD, 'packages', 'types');
  const run = (program: string, ...args: string[]): void => {
    const path = join(ROOT, 'node_modules', '.bin', program);
    execFileSync(path, args, { cwd: join(ROOT, 'frontend'), stdio: ['ignore', 'inherit', 'inherit'] });
  };
  run(
    'vite',
    'build',
    '--config=vite.package.config.ts',
    `--outDir=${dist}`,
    '--emptyOutDir',
    '--logLevel=warn',
  );
  run('tsc', '--project', 'tsconfig.package.json', '--rootDir', ROOT, '--outDir', types);
  // The style is text in the script.
  rmSync(join(dist, 'index.css'));
  cpSync(join(types, 'frontend', 'src', 'react-package.d.ts'), join(dist, 'index.d.ts'));
  rmSync(types, { recursive: true });
  return pack(REACT_PACKAGE, 'index', {
    description: 'Reports the errors of a React application to Errata, and shows its error page.',
    sideEffects: false,
    dependencies: { '@sentry/react': manifestOf('frontend').dependencies['@sentry/react'] },
    peerDependencies: REACT_PEERS,
  });
}

if (import.meta.main) for (const tarball of [packNest(), packReact()]) process.stdout.write(`${tarball}\n`);
