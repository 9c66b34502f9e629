import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { listenOnLastingPort } from '../../../e2e/fixtures/ports.ts';
import { run } from '../run.ts';
import { type Placement, type PodPlan, planPod } from './pod-plan.ts';
import type { Root } from '../manifest.ts';

/** `ERRATA_CONSOLE_TOKEN` in the Secret. */
export const TOKEN = 'a-console-token-for-pods';

/** What all pods of a run have in common. */
export interface Lab {
  readonly roots: readonly Root[];
  readonly image: string;
  /** First part of all names in podman, by which the caller removes the rest. */
  readonly prefix: string;
}

/** Returns a port of loopback that is free and that the system gives to no client. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLastingPort(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** A pod of a rendered root that podman runs. Its volume lasts from one run of the pod to the next. */
export class PodmanPod {
  readonly plan: PodPlan;
  readonly url: string;
  readonly managementUrl: string;
  #hasVolumes = false;

  private constructor(plan: PodPlan, { http, management }: Placement['ports']) {
    this.plan = plan;
    this.url = `http://127.0.0.1:${http}`;
    this.managementUrl = `http://127.0.0.1:${management}`;
  }

  /** Plans a pod, which does not run yet. The options' secret is the team's, beside the console's token. */
  static async of(
    { roots, image, prefix }: Lab,
    overlay: string,
    ordinal: number,
    { secret = {}, restartPolicy = 'Always' }: Partial<Placement> = {},
  ): Promise<PodmanPod> {
    const root = roots.find(({ name }) => name === `overlays/${overlay}`);
    if (root === undefined) throw new Error(`there is no overlay ${overlay}`);
    const ports = { http: await freePort(), management: await freePort() };
    const plan = planPod(root, {
      prefix: `${prefix}-${overlay}`,
      ordinal,
      image,
      ports,
      secret: { ERRATA_CONSOLE_TOKEN: TOKEN, ...secret },
      restartPolicy,
    });
    return new PodmanPod(plan, ports);
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
