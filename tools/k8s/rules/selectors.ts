import { ofKind, podsOf, type Root } from '../manifest.ts';
import type { Rule } from '../rule.ts';

const NAME = 'app.kubernetes.io~1name';

/** The cluster accepts a selector or a port name that matches no pod: no traffic, no metrics, no protection. */
export const selectors: Rule = {
  name: 'selectors',
  check: (root) => [...labelFaults(root), ...portFaults(root), ...headlessFaults(root)],
  faults: [
    { object: 'Service/errata', path: `/spec/selector/${NAME}`, value: 'erata' },
    { object: 'Service/errata', path: '/spec/ports/0/targetPort', value: 'web' },
    { object: 'Service/errata-pods', path: '/spec/clusterIP', value: undefined },
    { object: 'PodDisruptionBudget/errata', path: `/spec/selector/matchLabels/${NAME}`, value: 'erata' },
    { object: 'NetworkPolicy/errata', path: '/spec/podSelector', value: {} },
    { object: 'PodMonitor/errata', path: `/spec/selector/matchLabels/${NAME}`, value: 'erata' },
    {
      object: 'StatefulSet/errata',
      path: `/spec/template/spec/topologySpreadConstraints/0/labelSelector/matchLabels/${NAME}`,
      value: 'erata',
    },
    { object: 'NetworkPolicy/errata', path: '/spec/ingress/1/ports/0/port', value: 'metrics' },
    { object: 'PodMonitor/errata', path: '/spec/podMetricsEndpoints/0/port', value: 'metrics' },
    { object: 'StatefulSet/errata', path: `/spec/selector/matchLabels/${NAME}`, value: 'erata' },
  ],
};

type Labels = Readonly<Record<string, string>> | undefined;

function labelFaults(root: Root): readonly string[] {
  const selecting: readonly (readonly [string, Labels])[] = [
    ...podsOf(root).flatMap(({ set, spec }) => [
      ['StatefulSet', set.spec?.selector.matchLabels] as const,
      ...(spec.topologySpreadConstraints ?? []).map(
        ({ labelSelector }) => ['a spread constraint', labelSelector?.matchLabels] as const,
      ),
    ]),
    ...ofKind(root, 'Service').map(
      ({ metadata, spec }) => [`Service ${metadata?.name}`, spec?.selector] as const,
    ),
    ...(['PodDisruptionBudget', 'PodMonitor'] as const).flatMap((kind) =>
      ofKind(root, kind).map(({ spec }) => [kind, spec?.selector?.matchLabels] as const),
    ),
    ...ofKind(root, 'NetworkPolicy').map(
      ({ spec }) => ['NetworkPolicy', spec?.podSelector?.matchLabels] as const,
    ),
  ];
  return selecting
    .filter(([, labels]) => !selectsPods(root, labels))
    .map(([name]) => `${name} selects no pod`);
}

/** An empty selector selects the pods of other applications, too. */
function selectsPods(root: Root, selector: Labels = {}): boolean {
  const wanted = Object.entries(selector);
  const matches = (labels: Labels): boolean => wanted.every(([key, value]) => labels?.[key] === value);
  return wanted.length > 0 && podsOf(root).some(({ labels }) => matches(labels));
}

function portFaults(root: Root): readonly string[] {
  const names = new Set(
    podsOf(root).flatMap(({ containers }) =>
      containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name)),
    ),
  );
  const used = [
    ...ofKind(root, 'Service').flatMap(({ spec }) => (spec?.ports ?? []).map(({ targetPort }) => targetPort)),
    ...ofKind(root, 'NetworkPolicy').flatMap(({ spec }) =>
      (spec?.ingress ?? []).flatMap(({ ports = [] }) => ports.map(({ port }) => port)),
    ),
    ...ofKind(root, 'PodMonitor').flatMap(({ spec }) =>
      (spec?.podMetricsEndpoints ?? []).map(({ port }) => port),
    ),
  ];
  return used
    .filter((port) => typeof port !== 'string' || !names.has(port))
    .map((port) => `no container has the port ${port}`);
}

function headlessFaults(root: Root): readonly string[] {
  const headless = new Set(
    ofKind(root, 'Service')
      .filter(({ spec }) => spec?.clusterIP === 'None')
      .map(({ metadata }) => metadata?.name),
  );
  return ofKind(root, 'StatefulSet')
    .filter(({ spec }) => !headless.has(spec?.serviceName))
    .map(({ spec }) => `serviceName ${spec?.serviceName} is no headless Service`);
}
