import type { KubernetesObject, Root } from './manifest.ts';

/** One change of one object, in the first root that has the object and the parent of the field. */
export interface PlantedFault {
  /** `Kind/name`; the name may be the beginning of a generated one. */
  readonly object: string;
  /** JSON pointer (RFC 6901) to the changed field. */
  readonly path: string;
  /** Its new value; undefined removes the field. */
  readonly value: unknown;
}

/** Faults of one object, below one path: `[path, value]` each. */
export function faultsOf(
  object: string,
  base: string,
  changes: readonly (readonly [string, unknown])[],
): readonly PlantedFault[] {
  return changes.map(([path, value]) => ({ object, path: `${base}${path}`, value }));
}

export const textOf = ({ object, path, value }: PlantedFault): string =>
  `${object}${path}: ${value === undefined ? 'removed' : JSON.stringify(value)}`;

/** Returns the changed copy of a root, and the object in it. @throws Error when no root has a place for the fault. */
export function plant(
  roots: readonly Root[],
  fault: PlantedFault,
): { readonly root: Root; readonly object: KubernetesObject } {
  for (const original of roots) {
    const root = structuredClone(original);
    const object = root.objects.find(({ kind, metadata }) =>
      `${kind}/${metadata.name}`.startsWith(fault.object),
    );
    if (object !== undefined && change(object, fault)) return { root, object };
  }
  throw new Error(`${textOf(fault)}: no root has a place for this planted fault`);
}

/** Returns whether the object has the parent of the changed field. */
function change(object: KubernetesObject, { path, value }: PlantedFault): boolean {
  const keys = path.slice(1).split('/').map(unescape);
  const last = keys.pop() ?? '';
  let parent: unknown = object;
  for (const key of keys) parent = isParent(parent) ? parent[key] : undefined;
  if (!isParent(parent)) return false;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return true;
}

const isParent = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const unescape = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~');
