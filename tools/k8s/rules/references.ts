import { isDeepStrictEqual } from 'node:util';
import { fieldsOf, podsOf, type Root } from '../manifest.ts';

/** Fields with the name of another object of the root, and its kind. The team's Secret has the name of the StatefulSet. */
const REFERENCES: readonly (readonly [RegExp, string])[] = [
  [/\/(serviceName|backendRefs\/\d+\/name|backend\/service\/name)$/, 'Service'],
  [/\/serviceAccountName$/, 'ServiceAccount'],
  [/\/configMap(Key)?Ref\/name$/, 'ConfigMap'],
  [/\/secret(Key)?Ref\/name$/, 'StatefulSet'],
];

/** Fields with the name of a port of the container. */
const PORTS = /\/(targetPort|httpGet\/port|(podMetricsEndpoints|ports)\/\d+\/port|service\/port\/name)$/;

/** The cluster accepts a name that leads nowhere: the pod does not start, or the route answers 500. */
export function references(root: Root): readonly string[] {
  const fields = fieldsOf(root.objects);
  const titles = new Set(root.objects.map(({ kind, metadata }) => `${kind}/"${metadata.name}"`));
  const [container] = podsOf(root).flatMap(({ containers }) => containers);
  const ports = new Set(container?.ports?.map(({ name }) => `"${name}"`));
  const volumes = new Set(
    podsOf(root).flatMap(({ spec, set }) => [
      ...(spec.volumes ?? []).map(({ name }) => `"${name}"`),
      ...(set.spec?.volumeClaimTemplates ?? []).map(({ metadata }) => `"${metadata?.name}"`),
    ]),
  );
  const isKnown = (path: string, text: string): boolean =>
    REFERENCES.every(([pattern, kind]) => !pattern.test(path) || titles.has(`${kind}/${text}`)) &&
    (!PORTS.test(path) || !text.startsWith('"') || ports.has(text)) &&
    (!/\/volumeMounts\/\d+\/name$/.test(path) || volumes.has(text)) &&
    (!/\/backendRefs\/\d+\/port$/.test(path) ||
      text === fields.get(`${serviceOf(fields, path)}/spec/ports/0/port`));
  return [...fields]
    .filter(([path, text]) => !isKnown(path, text))
    .map(([path, text]) => `${path}: there is no ${text}`);
}

/** Returns the title of the Service beside the port of a route. */
const serviceOf = (fields: ReadonlyMap<string, string>, port: string): string =>
  `Service/${JSON.parse(fields.get(port.replace(/port$/, 'name')) ?? '""')}`;

/**
 * Selectors are compared as a whole. The cluster accepts one that matches no pod (no traffic, no metrics, no protection),
 * and an empty one, which selects the pods of other applications, too.
 */
export function selectors(root: Root): readonly string[] {
  const [pod] = podsOf(root);
  const wanted = pod?.set.spec?.selector.matchLabels ?? {};
  const isOfPod = Object.entries(wanted).every(([name, value]) => pod?.labels[name] === value);
  return [
    ...(isOfPod ? [] : ['the StatefulSet does not select its pods']),
    ...root.objects.flatMap((object) =>
      selectorsIn(object)
        .filter((found) => !isDeepStrictEqual(found, wanted))
        .map((found) => `${object.kind}/${object.metadata.name} selects ${JSON.stringify(found)}`),
    ),
  ];
}

function selectorsIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]: [string, object]) =>
    /^(selector|podSelector|labelSelector)$/.test(key)
      ? ['matchLabels' in each ? each.matchLabels : each]
      : selectorsIn(each),
  );
}

/** Labels that tools expect on each object. @see https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/ */
const LABELS = ['name', 'instance', 'part-of'].map((name) => `app.kubernetes.io/${name}`);

/** Without them an object is missing in the lists of tools, and in `kubectl get --selector`. */
export const labels = ({ objects }: Root): readonly string[] =>
  objects.flatMap(({ kind, metadata }) =>
    LABELS.filter((name) => (metadata.labels?.[name] ?? '') === '').map(
      (name) => `${kind}/${metadata.name} lacks ${name}`,
    ),
  );
