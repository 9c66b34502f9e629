import type { IContainer } from 'kubernetes-models/v1/Container';
import { SETTINGS } from '../../../backend/src/config/settings.ts';
import { bytes, type Setting } from '../../../backend/src/config/value-types.ts';
import { CLOSING_MS } from '../../../backend/src/opened-parts.ts';
import { STORE_FILE_FACTOR } from '../../../backend/src/maintenance/caps.ts';
import { ofKind, podsOf, type Root } from '../manifest.ts';
import { GATEWAY_PORT } from './promises.ts';

/** Rules about settings, and about values that depend on them. Each returns a line for each breach. */

/** All settings of docs/configuration.md. */
const BY_NAME = new Map<string, Setting<unknown>>(
  Object.values(SETTINGS).map((setting) => [setting.name, setting]),
);

/** An environment variable of a container. The keys of the team's Secret are unknown. */
interface Variable {
  readonly name: string;
  /** Undefined: the value comes from a Secret or from the pod. */
  readonly value?: string | null;
  readonly valueFrom?: NonNullable<IContainer['env']>[number]['valueFrom'];
}

/** Variables of all containers, from ConfigMaps and `env`. */
function variablesOf(root: Root): readonly Variable[] {
  const containers = podsOf(root).flatMap((pod) => pod.containers);
  return containers.flatMap(({ env = [], envFrom = [] }) => {
    const maps = new Set(envFrom.map(({ configMapRef }) => configMapRef?.name));
    const data = ofKind(root, 'ConfigMap').filter(({ metadata }) => maps.has(metadata?.name));
    return [
      ...data.flatMap((map) => Object.entries(map.data ?? {}).map(([name, value]) => ({ name, value }))),
      ...env,
    ];
  });
}

type NumberSetting =
  'drainTimeoutMs' | 'shutdownDelayMs' | 'sourceMapsMaxBytes' | 'spoolMaxBytes' | 'storeMaxBytes';

/** Returns a setting as the server reads it. An invalid value is a breach of the rule `settings`; it is 0 here. */
function numberOf(root: Root, key: NumberSetting): number {
  const { name, type, default: fallback } = SETTINGS[key];
  const text = variablesOf(root).find((variable) => variable.name === name)?.value ?? fallback;
  return type.safeParse(text).data ?? 0;
}

/** Settings that the manifests fix: another port, for example, makes a pod that is ready and gets no request. */
export const FIXED: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  [SETTINGS.port.name, SETTINGS.port.default],
  [SETTINGS.managementPort.name, SETTINGS.managementPort.default],
  [SETTINGS.gatewayPort.name, GATEWAY_PORT],
  [SETTINGS.dataDir.name, '/data'], // as in docker/Dockerfile
  [SETTINGS.replica.name, undefined], // of the pod
]);

/** Errata does not start with an unknown name or an invalid value. */
export function settings(root: Root): readonly string[] {
  return variablesOf(root).flatMap(({ name, value }) => {
    const setting = BY_NAME.get(name);
    if (setting === undefined) return [`${name} is no setting`];
    if (FIXED.has(name) && FIXED.get(name) !== value) return [`${name} is fixed by the StatefulSet`];
    const isValid = value === undefined || setting.type.safeParse(value).success;
    return isValid ? [] : [`${name} has an invalid value`];
  });
}

/** A ConfigMap can be read by many people and tools, and is part of a repository. */
export function secrets(root: Root): readonly string[] {
  return variablesOf(root)
    .filter(({ name, value }) => BY_NAME.get(name)?.isSecret === true && value !== undefined)
    .map(({ name }) => `${name} is in the open`);
}

/** The number of a pod in its StatefulSet. Older versions than 1.28 lack it: the value is empty, which counts as 0. */
const POD_INDEX = "metadata.labels['apps.kubernetes.io/pod-index']";

/** Each replica without a shared database would have a store of its own, and a read would find a part of the errors. */
export function replicas(root: Root): readonly string[] {
  const fromOf = (name: string) => variablesOf(root).find((each) => each.name === name)?.valueFrom;
  const database = fromOf('DATABASE_URL')?.secretKeyRef;
  const areSeveral = podsOf(root).some(({ set }) => (set.spec?.replicas ?? 1) > 1);
  const needDatabase = database !== undefined && database.optional !== true;
  return [
    ...(areSeveral && !needDatabase ? ['several replicas start without DATABASE_URL'] : []),
    ...(fromOf('ERRATA_REPLICA')?.fieldRef?.fieldPath === POD_INDEX
      ? []
      : ['ERRATA_REPLICA is not the index of the pod']),
  ];
}

/** Proxies route to a pod for some seconds after it began to leave. */
const LEAST_PRE_STOP_SECONDS = 5;

/** A pod that is killed while it drains loses nothing, but sends the envelopes in flight twice. */
export function leaving(root: Root): readonly string[] {
  const drain = (numberOf(root, 'shutdownDelayMs') + numberOf(root, 'drainTimeoutMs')) / 1_000;
  return podsOf(root).flatMap(({ spec, containers }) => {
    const preStop = containers[0]?.lifecycle?.preStop?.sleep?.seconds ?? 0;
    const needed = preStop + drain + CLOSING_MS / 1_000;
    const grace = spec.terminationGracePeriodSeconds ?? 0;
    return [
      ...(preStop < LEAST_PRE_STOP_SECONDS ? [`preStop sleeps less than ${LEAST_PRE_STOP_SECONDS} s`] : []),
      ...(needed > grace ? [`leaving takes up to ${needed} s, the pod is killed after ${grace} s`] : []),
    ];
  });
}

/** The volume has room for the spool and, without a database, for the store and the source maps. */
export function volume(root: Root): readonly string[] {
  const hasDatabase = variablesOf(root).some(({ name }) => name === 'DATABASE_URL');
  const ofStore = STORE_FILE_FACTOR * numberOf(root, 'storeMaxBytes') + numberOf(root, 'sourceMapsMaxBytes');
  const needed = numberOf(root, 'spoolMaxBytes') + (hasDatabase ? 0 : ofStore);
  const [claim] = podsOf(root).flatMap(({ set }) => set.spec?.volumeClaimTemplates ?? []);
  // Quantities of Kubernetes lack the B of Errata's sizes: `16Gi`.
  const size = bytes.safeParse(`${claim?.spec?.resources?.requests?.['storage'] ?? 0}B`).data ?? 0;
  return size < needed ? [`the claim is smaller than ${needed} bytes: store, spool and source maps`] : [];
}
