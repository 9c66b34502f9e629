import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IPersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import type { IPod } from 'kubernetes-models/v1/Pod';
import { ofKind, type Pod, podsOf, type Root } from '../manifest.ts';

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

/** One pod of a StatefulSet for `podman play kube`. */
export interface PodPlan {
  readonly pod: string;
  readonly container: string;
  readonly objects: readonly (IConfigMap | IPod)[];
  /** For the first run of the pod only: podman refuses a claim whose volume it has. */
  readonly claims: readonly IPersistentVolumeClaim[];
  /** Podman ignores the hook: the caller waits before it stops the pod. */
  readonly preStopSeconds: number;
  /** Kubernetes counts it from the deletion on, the hook included. */
  readonly graceSeconds: number;
}

/** Kubernetes' default of `terminationGracePeriodSeconds`. */
const DEFAULT_GRACE_SECONDS = 30;
/** ConfigMap with the keys of the Secret: podman 4.3 cannot read variables from a Secret that it stored itself. */
const SECRET = 'secret-errata';

/**
 * Turns the StatefulSet of a rendered root into one of its pods, as its controller does: with the label of its ordinal and
 * with claims of its own. @throws Error for a root without a StatefulSet.
 */
export function planPod(root: Root, placement: Placement): PodPlan {
  const [pod] = podsOf(root);
  const [container] = pod?.containers ?? [];
  if (pod === undefined || container === undefined) throw new Error(`${root.name} has no StatefulSet`);
  const name = `${placement.prefix}-${pod.set.metadata?.name}-${placement.ordinal}`;
  return {
    pod: name,
    container: `${name}-${container.name}`,
    objects: [
      ...ofKind(root, 'ConfigMap'),
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: SECRET }, data: placement.secret },
      podObject(pod, name, placement),
    ],
    claims: templatesOf(pod).map(({ spec, ...template }) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: `${name}-${template.metadata?.name}` },
      ...(spec === undefined ? {} : { spec }),
    })),
    preStopSeconds: container.lifecycle?.preStop?.sleep?.seconds ?? 0,
    graceSeconds: pod.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS,
  };
}

const templatesOf = (pod: Pod) => pod.set.spec?.volumeClaimTemplates ?? [];

function podObject(pod: Pod, name: string, placement: Placement): IPod {
  /** Podman has one name space of volumes for all pods, those of emptyDir included. */
  const inPod = (volume = ''): string => `${name}-${volume}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      labels: { ...pod.labels, 'apps.kubernetes.io/pod-index': String(placement.ordinal) },
    },
    spec: {
      ...pod.spec,
      // On the host's loopback, beside PostgreSQL and the proxy: no bridge, no rules of a firewall.
      hostNetwork: true,
      restartPolicy: placement.restartPolicy,
      containers: pod.containers.map((container) => ({
        ...runnable(container, placement),
        volumeMounts: (container.volumeMounts ?? []).map((mount) => ({ ...mount, name: inPod(mount.name) })),
      })),
      volumes: [
        ...(pod.spec.volumes ?? []).map((volume) => ({ ...volume, name: inPod(volume.name) })),
        ...templatesOf(pod).map(({ metadata }) => ({
          name: inPod(metadata?.name),
          persistentVolumeClaim: { claimName: inPod(metadata?.name) },
        })),
      ],
    },
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
