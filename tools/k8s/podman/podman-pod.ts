import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { run } from '../run.ts';
import { type Placement, type PodPlan, planPod } from './pod-plan.ts';
import type { Root } from '../manifest.ts';

/** A pod of a rendered root that podman runs. Its volume lasts from one run of the pod to the next. */
export class PodmanPod {
  readonly plan: PodPlan;
  readonly url: string;
  readonly managementUrl: string;
  #hasVolumes = false;

  constructor(root: Root, placement: Placement) {
    this.plan = planPod(root, placement);
    this.url = `http://127.0.0.1:${placement.ports.http}`;
    this.managementUrl = `http://127.0.0.1:${placement.ports.management}`;
  }

  /** Starts the pod and does not wait until it is ready. @throws Error with podman's message. */
  async create(): Promise<void> {
    const { objects, claims } = this.plan;
    const all = this.#hasVolumes ? objects : [...claims, ...objects];
    const folder = mkdtempSync(join(tmpdir(), 'errata-pod-'));
    try {
      const file = join(folder, 'pod.yaml');
      writeFileSync(file, all.map((object) => stringify(object)).join('---\n'));
      await podman('play', 'kube', file);
      this.#hasVolumes = true;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  /** Ends the pod as after its preStop hook: SIGTERM, and SIGKILL after the grace. The pod goes, its volume stays. */
  async terminate(): Promise<{ readonly exitCode: number; readonly ms: number }> {
    const { container, graceSeconds, preStopSeconds } = this.plan;
    const startedAtMs = performance.now();
    await podman('stop', '--time', String(graceSeconds - preStopSeconds), container);
    const ms = Math.round(performance.now() - startedAtMs);
    const exitCode = Number(await this.inspect('.State.ExitCode'));
    await podman('pod', 'rm', '--force', this.plan.pod);
    return { exitCode, ms };
  }

  /** Returns a field of the container, for example `.State.Pid`, which is the ID of the process on this machine. */
  inspect(field: string): Promise<string> {
    return podman('inspect', this.plan.container, '--format', `{{${field}}}`);
  }

  /** Returns the output of the container, standard error included. */
  async logs(): Promise<string> {
    return (await run('podman', ['logs', this.plan.container])).output;
  }
}

/** Runs podman and returns its output. @throws Error with its message. */
async function podman(...args: readonly string[]): Promise<string> {
  const { status, stdout, output } = await run('podman', args);
  if (status !== 0) throw new Error(`podman ${args.join(' ')}: ${output.trim()}`);
  return stdout.trim();
}
