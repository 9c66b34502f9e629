import type { IContainer } from 'kubernetes-models/v1/Container';
import { ofKind, podsOf, type Root } from '../manifest.ts';

/** What the cluster and the team add to a StatefulSet. */
export interface Placement {
  /** First part of names in podman, which has one storage for all runs and no namespaces. */
  readonly prefix: string;
  readonly ordinal: number;
  readonly image: string;
  /** Free ports of loopback for the named ports of the container. */
  readonly ports: Readonly<Record<'http' | 'management', number>>;
  /** The team's Secret `errata`. */
  readonly secret: Readonly<Record<string, string>>;
  /** `Always` is the policy of every StatefulSet. `Never` keeps the exit code of a start that fails. */
  readonly restartPolicy: 'Always' | 'Never';
}

export type PodPlan = ReturnType<typeof planPod>;

/** ConfigMap with the keys of the Secret: podman 4.3 cannot read variables from a Secret that it stored itself. */
const SECRET = 'secret-errata';

/** Podman has one name space of volumes for all pods, those of emptyDir included. */
const nameIn =
  (pod: string) =>
  <T extends { readonly name?: string }>(volume: T): T & { readonly name: string } => ({
    ...volume,
    name: `${pod}-${volume.name}`,
  });

/**
 * Turns the StatefulSet of a rendered root into one of its pods for `podman play kube`, as its controller does: with the
 * label of its ordinal and with claims of its own. @throws Error for a root without a StatefulSet.
 */
export function planPod(root: Root, placement: Placement) {
  const [pod] = podsOf(root);
  const [container] = pod?.containers ?? [];
  if (pod === undefined || container === undefined) throw new Error(`${root.name} has no StatefulSet`);
  const name = `${placement.prefix}-${pod.set.metadata?.name}-${placement.ordinal}`;
  const inPod = nameIn(name);
  const templates = pod.set.spec?.volumeClaimTemplates ?? [];
  const claims = templates.map(({ metadata = {}, spec }) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: inPod(metadata).name },
    spec,
  }));
  const spec = {
    ...pod.spec,
    // On the host's loopback, beside PostgreSQL and the load: no bridge, no rules of a firewall.
    hostNetwork: true,
    restartPolicy: placement.restartPolicy,
    containers: [
      { ...runnable(container, placement), volumeMounts: (container.volumeMounts ?? []).map(inPod) },
    ],
    volumes: [
      ...(pod.spec.volumes ?? []).map(inPod),
      ...claims.map(({ metadata }) => ({ ...metadata, persistentVolumeClaim: { claimName: metadata.name } })),
    ],
  };
  const labels = { ...pod.labels, 'apps.kubernetes.io/pod-index': String(placement.ordinal) };
  return {
    pod: name,
    container: `${name}-${container.name}`,
    objects: [
      ...ofKind(root, 'ConfigMap'),
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: SECRET }, data: placement.secret },
      { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels }, spec },
    ],
    /** For the first run of the pod only: podman refuses a claim whose volume it has. */
    claims,
    /** Podman ignores the hook: the caller waits before it stops the pod. */
    preStopSeconds: container.lifecycle?.preStop?.sleep?.seconds ?? 0,
    /** Kubernetes counts it from the deletion on, the hook included. */
    graceSeconds: pod.spec.terminationGracePeriodSeconds ?? 0,
  };
}

/**
 * Without probes: podman would run them inside, by a `curl` that the image does not have, so the caller asks them from
 * outside. Without ports: podman refuses to map them in the host's network, where the server listens on its own.
 */
function runnable(
  { env = [], envFrom = [], ...container }: IContainer,
  { image, ports }: Placement,
): IContainer {
  const { ports: _ports, startupProbe: _s, livenessProbe: _l, readinessProbe: _r, ...rest } = container;
  return {
    ...rest,
    image,
    envFrom: envFrom.map(({ configMapRef }) => ({ configMapRef: configMapRef ?? { name: SECRET } })),
    env: [
      ...env.map((variable) => {
        const key = variable.valueFrom?.secretKeyRef;
        if (key === undefined) return variable;
        return { name: variable.name, valueFrom: { configMapKeyRef: { ...key, name: SECRET } } };
      }),
      { name: 'HOST', value: '127.0.0.1' },
      { name: 'PORT', value: String(ports.http) },
      { name: 'MANAGEMENT_PORT', value: String(ports.management) },
    ],
  };
}
