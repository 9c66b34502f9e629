import type { IPersistentVolumeClaimSpec } from 'kubernetes-models/v1/PersistentVolumeClaimSpec';
import { bytes } from '../../../backend/src/config/value-types.ts';
import { numberOf, variablesOf } from '../environment.ts';
import { type Pod, podsOf, type Root } from '../manifest.ts';
import type { Rule } from '../rule.ts';

/** ERRATA_DATA_DIR of the image. */
const DATA_DIR = '/data';
/** The file of the store may be twice as large as its content (STORE_FILE_FACTOR in backend/src/error-reporting.ts). */
const STORE_FILE_FACTOR = 2;
const CLAIM = '/spec/volumeClaimTemplates/0';
const MOUNTS = '/spec/template/spec/containers/0/volumeMounts';
const RETENTION = '/spec/persistentVolumeClaimRetentionPolicy';

export const claims: Rule = {
  name: 'claims',
  check: (root) => podsOf(root).flatMap((pod) => claimFaults(root, pod)),
  faults: [
    { object: 'StatefulSet/errata', path: `${CLAIM}/metadata/name`, value: 'spool' },
    { object: 'StatefulSet/errata', path: `${CLAIM}/spec/accessModes/0`, value: 'ReadWriteOncePod' },
    { object: 'StatefulSet/errata', path: `${CLAIM}/spec/resources/requests/storage`, value: '8Gi' },
    { object: 'StatefulSet/errata', path: `${MOUNTS}/0/mountPath`, value: '/var/errata' },
    { object: 'StatefulSet/errata', path: `${MOUNTS}/1/name`, value: 'temporary' },
    { object: 'StatefulSet/errata', path: `${RETENTION}/whenDeleted`, value: 'Delete' },
    { object: 'StatefulSet/errata', path: `${RETENTION}/whenScaled`, value: 'Delete' },
  ],
};

function claimFaults(root: Root, { set, spec, containers }: Pod): readonly string[] {
  const mounts = containers.flatMap(({ volumeMounts = [] }) => volumeMounts);
  const templates = set.spec?.volumeClaimTemplates ?? [];
  const names = new Set(
    [...(spec.volumes ?? []), ...templates.map(({ metadata = {} }) => metadata)].map(({ name }) => name),
  );
  const data = mounts.find(({ mountPath }) => mountPath === DATA_DIR)?.name;
  const claim = templates.find(({ metadata }) => metadata?.name === data)?.spec;
  const policy = set.spec?.persistentVolumeClaimRetentionPolicy;
  return [
    ...mounts.filter(({ name }) => !names.has(name)).map(({ name }) => `no volume ${name}`),
    ...(claim === undefined ? [`${DATA_DIR} is on no claim`] : specFaults(root, claim)),
    ...(policy?.whenDeleted === 'Retain' && policy.whenScaled === 'Retain'
      ? []
      : ['the volume of a removed pod is deleted, and its envelopes with it']),
  ];
}

function specFaults(root: Root, { accessModes, resources }: IPersistentVolumeClaimSpec): readonly string[] {
  const leastBytes = neededBytes(root);
  return [
    // Some drivers leave ReadWriteOncePod pending for ever; spool.lock keeps a second process out.
    ...(accessModes?.join() === 'ReadWriteOnce' ? [] : ['the claim is not ReadWriteOnce']),
    ...(bytesOf(resources?.requests?.['storage']) >= leastBytes
      ? []
      : [`the claim is smaller than ${leastBytes} bytes: store, spool and source maps`]),
  ];
}

function neededBytes(root: Root): number {
  const spool = numberOf(root, 'spoolMaxBytes');
  if (variablesOf(root).some(({ name }) => name === 'DATABASE_URL')) return spool;
  return spool + STORE_FILE_FACTOR * numberOf(root, 'storeMaxBytes') + numberOf(root, 'sourceMapsMaxBytes');
}

/** Quantities of Kubernetes lack the B of Errata's sizes: `16Gi`. */
const bytesOf = (quantity: string | number | undefined): number =>
  bytes.safeParse(`${quantity ?? 0}B`).data ?? 0;
