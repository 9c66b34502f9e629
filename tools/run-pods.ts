import { findProgram, KUBECTL } from './k8s/programs.ts';
import { judge } from './k8s/podman/checks.ts';
import { tryReplicated } from './k8s/podman/replicated.ts';
import { tryReplicaWithoutDatabase, trySingle } from './k8s/podman/single.ts';
import { renderRoots } from './k8s/roots.ts';

/**
 * Runs the rendered overlays by `podman play kube`, for docker/verify-image.sh, which removes pods and volumes at the end:
 * `node tools/run-pods.ts <image> <first part of all names>`. Prints a PASS or FAIL line for each check.
 */

/** What podman 4.3 does not do with a pod, and a cluster does. */
const NOT_RUN =
  'not run: probes, preStop and endpoints by a kubelet (asked, waited for and switched from outside), fsGroup, Services';

const [image = '', prefix = ''] = process.argv.slice(2);

const kubectl = await findProgram(KUBECTL);
if (kubectl.path === null) {
  process.stdout.write(`SKIPPED pods of docker/kubernetes: ${kubectl.problem}\n`);
} else {
  process.stdout.write(`      ${NOT_RUN}\n`);
  const lab = { roots: await renderRoots(kubectl.path), image, prefix };
  for (const attempt of [trySingle, tryReplicaWithoutDatabase, tryReplicated]) {
    await attempt(lab).catch((error: unknown) => judge(attempt.name, false, String(error)));
  }
}
