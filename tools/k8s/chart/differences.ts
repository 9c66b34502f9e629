import { type KubernetesObject, titleOf } from '../manifest.ts';

/**
 * Values by path, such as `Service/errata/spec/ports/0/port`: scalars, and lists and mappings without an entry. A key with
 * the value undefined does not exist, as in JSON.
 */
export function leavesOf(objects: readonly KubernetesObject[]): ReadonlyMap<string, unknown> {
  const titles = Map.groupBy(objects, titleOf);
  return new Map(
    [...titles].flatMap(([title, [object, ...more]]) => [
      ...leaves(title, object),
      ...more.flatMap((each, index) => leaves(`${title} (${index + 2})`, each)),
    ]),
  );
}

function leaves(path: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (value === undefined) return [];
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return entries.length === 0
    ? [[path, value]]
    : entries.flatMap(([key, each]) => leaves(`${path}/${key}`, each));
}

/** Lists the values in which the chart differs from the manifests. The order of objects and of keys has no meaning. */
export function differences(
  manifests: readonly KubernetesObject[],
  chart: readonly KubernetesObject[],
): readonly string[] {
  const [expected, actual] = [leavesOf(manifests), leavesOf(chart)];
  const textIn = (values: ReadonlyMap<string, unknown>, path: string): string =>
    values.has(path) ? JSON.stringify(values.get(path)) : 'nothing';
  return [...new Set([...expected.keys(), ...actual.keys()])]
    .map((path) => ({ path, wanted: textIn(expected, path), got: textIn(actual, path) }))
    .filter(({ wanted, got }) => wanted !== got)
    .map(({ path, wanted, got }) => `${path}: ${wanted} in the manifests, ${got} in the chart`);
}
