import { containersOf, ofKind, type Pod, podsOf, type Root } from '../manifest.ts';
import { faultsOf, type Rule } from '../rule.ts';

/** USER of docker/Dockerfile. */
const IMAGE_USER = 65_532;

/**
 * The profile `restricted`, a read-only root and no access to the API of the cluster.
 *
 * @see https://kubernetes.io/docs/concepts/security/pod-security-standards/
 */
export const restricted: Rule = {
  name: 'restricted',
  check: (root) => [...podsOf(root).flatMap((pod) => podFaults(root, pod)), ...containerFaults(root)],
  faults: [
    ...faultsOf('StatefulSet/errata', '/spec/template/spec', [
      ['securityContext/runAsNonRoot', false],
      ['securityContext/fsGroup', 0],
      ['securityContext/seccompProfile/type', 'Unconfined'],
      ['automountServiceAccountToken', undefined],
      ['enableServiceLinks', undefined],
      ['hostNetwork', true],
      ['volumes/0', { name: 'tmp', hostPath: { path: '/tmp' } }],
      ['containers/0/securityContext/allowPrivilegeEscalation', undefined],
      ['containers/0/securityContext/readOnlyRootFilesystem', false],
      ['containers/0/securityContext/capabilities/drop', []],
      ['containers/0/securityContext/capabilities/add', ['NET_ADMIN']],
      ['containers/0/resources/limits/memory', undefined],
    ]),
    { object: 'ServiceAccount/errata', path: '/metadata/name', value: 'other' },
    { object: 'ServiceAccount/errata', path: '/automountServiceAccountToken', value: true },
  ],
};

function podFaults(root: Root, { spec }: Pod): readonly string[] {
  const context = spec.securityContext ?? {};
  const accounts = ofKind(root, 'ServiceAccount').filter(
    ({ metadata }) => metadata?.name === spec.serviceAccountName,
  );
  return missing({
    'runAsNonRoot is not true': context.runAsNonRoot === true,
    'runAsUser, runAsGroup or fsGroup is not the user of the image': [
      context.runAsUser,
      context.runAsGroup,
      context.fsGroup,
    ].every((id) => id === IMAGE_USER),
    'seccompProfile is not RuntimeDefault': context.seccompProfile?.type === 'RuntimeDefault',
    'the service account is missing, or has a token': accounts.some(
      ({ automountServiceAccountToken }) => automountServiceAccountToken === false,
    ),
    'automountServiceAccountToken is not false': spec.automountServiceAccountToken === false,
    'enableServiceLinks is not false': spec.enableServiceLinks === false,
    'a namespace of the host': [spec.hostNetwork, spec.hostPID, spec.hostIPC].every((is) => is !== true),
    'a volume that is no emptyDir with a size': (spec.volumes ?? []).every(
      ({ emptyDir }) => emptyDir?.sizeLimit !== undefined,
    ),
  });
}

function containerFaults(root: Root): readonly string[] {
  return containersOf(root).flatMap(({ name, securityContext: context = {}, resources = {} }) =>
    missing({
      'allowPrivilegeEscalation is not false': context.allowPrivilegeEscalation === false,
      'readOnlyRootFilesystem is not true': context.readOnlyRootFilesystem === true,
      'capabilities other than none':
        context.capabilities?.drop?.join() === 'ALL' && context.capabilities.add === undefined,
      'no limit of memory or of ephemeral storage':
        resources.limits?.['memory'] !== undefined && resources.limits['ephemeral-storage'] !== undefined,
    }).map((text) => `container ${name}: ${text}`),
  );
}

const missing = (conditions: Readonly<Record<string, boolean>>): readonly string[] =>
  Object.keys(conditions).filter((text) => conditions[text] !== true);
