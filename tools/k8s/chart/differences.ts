import { type KubernetesObject, titleOf } from '../manifest.ts';

/**
 * Lines such as `Service/errata/spec/ports/0/port: 80`, one for each scalar and each list or mapping without an entry. A
 * key with the value undefined does not exist, as in JSON. The second object of a name has a number.
 */
export function linesOf(objects: readonly KubernetesObject[]): ReadonlySet<string> {
  const titles = [...Map.groupBy(objects, titleOf)].flatMap(([title, sameName]) =>
    sameName.map((object, index) => [index === 0 ? title : `${title} (${index + 1})`, object] as const),
  );
  return new Set(titles.flatMap(([title, object]) => leaves(title, object)));
}

function leaves(path: string, value: unknown): readonly string[] {
  if (value === undefined) return [];
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return entries.length === 0
    ? [`${path}: ${JSON.stringify(value)}`]
    : entries.flatMap(([key, each]) => leaves(`${path}/${key}`, each));
}

/** Lists the values in which the chart differs from the manifests. The order of objects and of keys has no meaning. */
export function differences(
  manifests: readonly KubernetesObject[],
  chart: readonly KubernetesObject[],
): readonly string[] {
  const [expected, actual] = [linesOf(manifests), linesOf(chart)];
  return [
    ...[...expected].filter((line) => !actual.has(line)).map((line) => `the chart lacks ${line}`),
    ...[...actual].filter((line) => !expected.has(line)).map((line) => `the manifests lack ${line}`),
  ];
}
