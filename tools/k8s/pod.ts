import { ofKind, podsOf, type Root } from './manifest.ts';

/** Podman has one name space of volumes for all pods, those of emptyDir included. */
const nameIn =
  (pod: string) =>
  <T extends { readonly name?: string }>(volume: T): T & { readonly name: string } => ({
    ...volume,
    name: `${pod}-${volume.name}`,
  });

/**
 * Turns the StatefulSet of a rendered root into one of its pods for `podman play kube`, as its controller does: with the
 * label of its ordinal and with claims of its own. It has no probes, which podman would run inside by a `curl` that the
 * image does not have, no Secret, from which podman 4.3 cannot read variables, and no ports, which need a network.
 *
 * @throws Error for a root without a StatefulSet.
 */
export function podOf(root: Root, name: string, ordinal: number, image: string): readonly object[] {
  const [pod] = podsOf(root);
  const [container] = pod?.containers ?? [];
  if (pod === undefined || container === undefined) throw new Error(`${root.name} has no StatefulSet`);
  const { ports: _p, startupProbe: _s, livenessProbe: _l, readinessProbe: _r, ...rest } = container;
  const inPod = nameIn(name);
  const claims = (pod.set.spec?.volumeClaimTemplates ?? []).map(({ metadata, spec }) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: inPod(metadata ?? {}).name },
    spec,
  }));
  const spec = {
    ...pod.spec,
    // That of every StatefulSet is Always; a pod that has ended keeps its exit code.
    restartPolicy: 'Never',
    containers: [
      {
        ...rest,
        image,
        envFrom: container.envFrom?.filter(({ configMapRef }) => configMapRef !== undefined),
        volumeMounts: container.volumeMounts?.map(inPod),
      },
    ],
    volumes: [
      ...(pod.spec.volumes ?? []).map(inPod),
      ...claims.map(({ metadata }) => ({ ...metadata, persistentVolumeClaim: { claimName: metadata.name } })),
    ],
  };
  const labels = { ...pod.labels, 'apps.kubernetes.io/pod-index': String(ordinal) };
  return [
    ...ofKind(root, 'ConfigMap'),
    ...claims,
    { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels }, spec },
  ];
}
