import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenOnLastingPort } from '../../../e2e/fixtures/ports.ts';
import type { Root } from '../manifest.ts';
import { TOKEN } from './checks.ts';
import type { Placement } from './pod-plan.ts';
import { PodmanPod } from './podman-pod.ts';

/** Returns a port of loopback that is free and that the system gives to no client. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLastingPort(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** Makes pods of the rendered overlays. */
export class Lab {
  readonly #roots: readonly Root[];
  readonly #prefix: string;
  readonly #image: string;

  /** @param prefix first part of all names in podman, by which the caller removes the rest */
  constructor(roots: readonly Root[], prefix: string, image: string) {
    this.#roots = roots;
    this.#prefix = prefix;
    this.#image = image;
  }

  /** Plans a pod, which does not run yet. The options' secret is the team's, beside the console's token. */
  async pod(
    overlay: string,
    ordinal: number,
    options: Partial<Pick<Placement, 'secret' | 'restartPolicy'>> = {},
  ): Promise<PodmanPod> {
    const root = this.#roots.find(({ name }) => name === `overlays/${overlay}`);
    if (root === undefined) throw new Error(`there is no overlay ${overlay}`);
    return new PodmanPod(root, {
      prefix: `${this.#prefix}-${overlay}`,
      ordinal,
      image: this.#image,
      ports: { http: await freePort(), management: await freePort() },
      secret: { ERRATA_CONSOLE_TOKEN: TOKEN, ...options.secret },
      restartPolicy: options.restartPolicy ?? 'Always',
    });
  }
}
