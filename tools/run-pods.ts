import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stringify } from 'yaml';
import type { Root } from './k8s/manifest.ts';
import { podOf } from './k8s/pod.ts';
import { findProgram, KUBECTL } from './k8s/programs.ts';
import { renderRoots } from './k8s/roots.ts';
import { inFolder, run } from './k8s/run.ts';

/**
 * Runs pods of the rendered overlay `single` by `podman play kube`, for docker/verify-image.sh, which removes pods and
 * volumes at the end: `node tools/run-pods.ts <image> <first part of all names>`. Prints a PASS or FAIL line for each check.
 *
 * It shows what no rule can: the image starts with the fields of the manifests. What the process does then, as one of
 * several, while it ends and with PostgreSQL, is shown by e2e. Probes, preStop and endpoints need a kubelet.
 */

/** Stops a wait that would never end; on a busy machine a start takes several seconds. */
const GIVE_UP_MS = 120_000;
const READY = `fetch('http://127.0.0.1:9464/readyz').then(({ status }) => process.exit(Number(status !== 200)))`;

const [image = '', prefix = ''] = process.argv.slice(2);

function judge(what: string, isGood: boolean, found = 'no'): void {
  process.stdout.write(isGood ? `PASS  pod: ${what}\n` : `FAIL  pod: ${what}: ${found}\n`);
}

/** Returns whether a condition holds before the watchdog ends the wait. */
async function comes(condition: () => Promise<boolean>): Promise<boolean> {
  const giveUpAtMs = performance.now() + GIVE_UP_MS;
  while (!(await condition())) {
    if (performance.now() > giveUpAtMs) return false;
    await delay(100);
  }
  return true;
}

/** Runs podman and returns its output. @throws Error with its message. */
async function podman(...args: readonly string[]): Promise<string> {
  const { status, output } = await run('podman', args);
  if (status !== 0) throw new Error(`podman ${args.join(' ')}: ${output.trim()}`);
  return output.trim();
}

/** Starts a pod without a network: it needs none, and its ports are those of the manifests. @returns its container. */
function start(root: Root, ordinal: number): Promise<string> {
  return inFolder(async (folder) => {
    const file = join(folder, 'pod.yaml');
    const objects = podOf(root, `${prefix}-${ordinal}`, ordinal, image);
    writeFileSync(file, objects.map((object) => stringify(object)).join('---\n'));
    await podman('play', 'kube', '--network', 'none', file);
    return `${prefix}-${ordinal}-errata`;
  });
}

/** Judges the process of a pod by the kernel's own view: its user, root, volume, capabilities and privileges. */
async function judgeIsolation(container: string): Promise<void> {
  const proc = `/proc/${await podman('inspect', container, '--format', '{{.State.Pid}}')}`;
  const status = readFileSync(`${proc}/status`, 'utf8');
  const valuesOf = (field: string): readonly string[] =>
    new RegExp(`^${field}:\\s+(.*)$`, 'm').exec(status)?.[1]?.split(/\s+/) ?? [];
  const users = new Set([...valuesOf('Uid'), ...valuesOf('Gid')]);
  judge('user and group are 65532', users.size === 1 && users.has('65532'), [...users].join(' '));
  const sets = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].flatMap(valuesOf);
  judge('0 capabilities', sets.length === 5 && sets.every((set) => /^0+$/.test(set)), sets.join(' '));
  judge('no new privileges', valuesOf('NoNewPrivs')[0] === '1', valuesOf('NoNewPrivs').join(' '));
  // proc_pid_mountinfo(5): the fifth field is the mount point, the sixth its options.
  const mounts = readFileSync(`${proc}/mountinfo`, 'utf8').split('\n');
  const modes = new Map(mounts.map((line) => line.split(' ')).map((f) => [f[4], f[5]?.split(',')[0]]));
  judge('the root is read-only', modes.get('/') === 'ro', modes.get('/'));
  const isOnVolume = modes.get('/data') === 'rw' && existsSync(join(proc, 'root', 'data', 'spool.db'));
  judge('the queue is on the volume', isOnVolume, modes.get('/data'));
}

async function tryPod(root: Root): Promise<void> {
  const container = await start(root, 0);
  const isReady = await comes(
    async () => (await run('podman', ['exec', container, '/nodejs/bin/node', '-e', READY])).status === 0,
  );
  judge('is ready', isReady, await podman('logs', '--tail', '5', container));
  await judgeIsolation(container);
  await podman('stop', '--time', '20', container);
  const exitCode = await podman('inspect', container, '--format', '{{.State.ExitCode}}');
  judge('SIGTERM -> exit 0', exitCode === '0', exitCode);
}

/** A second replica of `single` would have a store of its own: the index of its pod must reach the server. */
async function trySecondReplica(root: Root): Promise<void> {
  const container = await start(root, 1);
  await comes(async () => (await podman('inspect', container, '--format', '{{.State.Status}}')) === 'exited');
  const printed = await podman('logs', container);
  const isGood = /^ERRATA_REPLICA: replica 1 needs DATABASE_URL.*$/.test(printed);
  judge('a second replica without DATABASE_URL ends with one line', isGood, printed);
}

const kubectl = await findProgram(KUBECTL);
const roots = kubectl.path === null ? [] : await renderRoots(kubectl.path);
if (kubectl.path === null) process.stdout.write(`SKIPPED pods of docker/kubernetes: ${kubectl.problem}\n`);
for (const root of roots.filter(({ name }) => name === 'overlays/single')) {
  for (const attempt of [tryPod, trySecondReplica]) {
    await attempt(root).catch((error: unknown) => judge(attempt.name, false, String(error)));
  }
}
