import { parse } from 'yaml';
import type { IStatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import type { IPrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';

/** A rendered object, before its fields are checked. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>> | undefined;
  };
}

/** All objects of one `kubectl kustomize`. */
export interface Root {
  readonly name: string;
  /** The objects as YAML. */
  readonly documents: readonly string[];
  readonly objects: readonly KubernetesObject[];
}

export function rootOf(name: string, text: string): Root {
  const documents = text.split(/^---\n/m);
  return { name, documents, objects: documents.map((document) => parse(document) as KubernetesObject) };
}

/** Returns the first root that has a text, with another one in its place; undefined when no root has the text. */
export function plant(roots: readonly Root[], from: string, to: string): Root | undefined {
  for (const root of roots) {
    const index = root.documents.findIndex((document) => document.includes(from));
    const changed = root.documents[index]?.replace(from, () => to);
    if (changed !== undefined)
      return { ...root, objects: root.objects.with(index, parse(changed) as KubernetesObject) };
  }
  return undefined;
}

interface Kinds {
  readonly ConfigMap: IConfigMap;
  readonly PrometheusRule: IPrometheusRule;
  readonly StatefulSet: IStatefulSet;
}

/** Returns the objects of one kind. Their types hold when the rule `schema` does. */
export function ofKind<K extends keyof Kinds>(root: Root, kind: K): readonly Kinds[K][] {
  return root.objects.filter((object) => object.kind === kind) as unknown as readonly Kinds[K][];
}

/** A pod with its labels and the name of its StatefulSet. */
export interface Pod {
  readonly set: IStatefulSet;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: IPodSpec;
  readonly containers: readonly IContainer[];
}

export function podsOf(root: Root): readonly Pod[] {
  return ofKind(root, 'StatefulSet').flatMap((set) => {
    const { metadata, spec } = set.spec?.template ?? {};
    return spec === undefined
      ? []
      : [{ set, labels: metadata?.labels ?? {}, spec, containers: spec.containers }];
  });
}

/** `Service/errata`, as kubectl names objects. */
export const titleOf = ({ kind, metadata }: Pick<KubernetesObject, 'kind' | 'metadata'>): string =>
  `${kind}/${metadata.name}`;

/**
 * The values of objects by their paths, such as `Service/errata/spec/ports/0/port` and `80`: JSON of each scalar, and of each
 * list or mapping without an entry. A key with the value undefined does not exist. The second object of a name has a number.
 */
export function fieldsOf(objects: readonly KubernetesObject[]): ReadonlyMap<string, string> {
  const titles = [...Map.groupBy(objects, titleOf)].flatMap(([title, sameName]) =>
    sameName.map((object, index) => [index === 0 ? title : `${title} (${index + 1})`, object] as const),
  );
  return new Map(titles.flatMap(([title, object]) => leaves(title, object)));
}

/** Fields such as `Service/spec/ports/0/port: 80`: without the names of the objects, so that rules hold for any name. */
export const kindFieldsOf = (objects: readonly KubernetesObject[]): readonly string[] =>
  [...fieldsOf(objects)].map(([path, text]) => `${path.replace(/\/[^/]+/, '')}: ${text}`);

function leaves(path: string, value: unknown): readonly (readonly [string, string])[] {
  if (value === undefined) return [];
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return entries.length === 0
    ? [[path, JSON.stringify(value)]]
    : entries.flatMap(([key, each]) => leaves(`${path}/${key}`, each));
}
