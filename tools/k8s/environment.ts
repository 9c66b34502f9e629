import type { IContainer } from 'kubernetes-models/v1/Container';
import { SETTINGS } from '../../backend/src/config/settings.ts';
import { containersOf, ofKind, type Root } from './manifest.ts';

/** An environment variable of a container. The keys of the team's Secret are unknown. */
export interface Variable {
  readonly name: string;
  /** Null: the value comes from a Secret or from the pod. */
  readonly value: string | null;
  readonly from: NonNullable<IContainer['env']>[number]['valueFrom'];
}

/** Variables of all containers, from ConfigMaps and `env`. */
export function variablesOf(root: Root): readonly Variable[] {
  return containersOf(root).flatMap(({ env = [], envFrom = [] }) => {
    const maps = new Set(envFrom.map(({ configMapRef }) => configMapRef?.name));
    const data = ofKind(root, 'ConfigMap').filter(({ metadata }) => maps.has(metadata?.name));
    return [
      ...data.flatMap((map) =>
        Object.entries(map.data ?? {}).map(([name, value]) => ({ name, value, from: undefined })),
      ),
      ...env.map(({ name, value, valueFrom }) => ({ name, value: value ?? null, from: valueFrom })),
    ];
  });
}

type NumberSetting =
  'drainTimeoutMs' | 'shutdownDelayMs' | 'sourceMapsMaxBytes' | 'spoolMaxBytes' | 'storeMaxBytes';

/** Returns a setting as the server reads it. An invalid value is a breach of the rule `settings`; it is 0 here. */
export function numberOf(root: Root, key: NumberSetting): number {
  const { name, type, default: fallback } = SETTINGS[key];
  const text = variablesOf(root).find((variable) => variable.name === name)?.value ?? fallback;
  return type.safeParse(text).data ?? 0;
}
