import { fieldsOf, type KubernetesObject } from '../manifest.ts';

export const linesOf = (objects: readonly KubernetesObject[]): ReadonlySet<string> =>
  new Set([...fieldsOf(objects)].map(([path, text]) => `${path}: ${text}`));

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
