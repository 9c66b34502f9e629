import { SETTINGS } from '../../../backend/src/config/settings.ts';
import type { Edit } from './chart.ts';

export const set = (...values: readonly string[]): readonly string[] =>
  values.flatMap((value) => ['--set', value]);
const REPLICATED = ['replicas=3', 'postgresql=true'];
/** The placeholders of the components. */
const HOSTS = ['hosts.console=errata.example', 'hosts.application=app.example'];
const COMPONENTS: Readonly<Record<string, readonly string[]>> = {
  gateway: ['gateway.enabled=true', ...HOSTS],
  ingress: ['ingress.enabled=true', ...HOSTS],
  'network-policy': ['networkPolicy.enabled=true'],
  monitoring: ['monitoring.enabled=true'],
};

/** Arguments of Helm with which the chart has the objects of each root. */
export const ROOTS: Readonly<Record<string, readonly string[]>> = {
  'overlays/single': [],
  'overlays/replicated': set(...REPLICATED),
  ...Object.fromEntries(
    Object.entries(COMPONENTS).map(([name, values]) => [
      `replicated with ${name}`,
      set(...REPLICATED, ...values),
    ]),
  ),
  example: ['--values', 'example.yaml'],
};

/** Arguments with which the chart has all objects that it can have. */
export const ALL = set(...REPLICATED, ...Object.values(COMPONENTS).flat());

const NAMESPACES = 'NetworkPolicy/errata/spec/ingress';
const NAMESPACE = 'from/0/namespaceSelector/matchLabels/kubernetes.io/metadata.name';
const CONTAINER = 'StatefulSet/errata/spec/template/spec/containers/0';
/** Values that no root sets: `[value, text, path]`; the text must be at the path in the chart with all objects. */
export const VALUES: readonly (readonly [string, string, string])[] = [
  ['secret', 'keys', `${CONTAINER}/envFrom/1/secretRef/name`],
  ['secret', 'keys', `${CONTAINER}/env/1/valueFrom/secretKeyRef/name`],
  ['resources.limits.memory', '1Gi', `${CONTAINER}/resources/limits/memory`],
  ['volume.size', '32Gi', 'StatefulSet/errata/spec/volumeClaimTemplates/0/spec/resources/requests/storage'],
  ['gateway.namespace', 'infra', 'HTTPRoute/errata/spec/parentRefs/0/namespace'],
  ['gateway.namespace', 'infra', 'HTTPRoute/errata-tunnel/spec/parentRefs/0/namespace'],
  ['ingress.class', 'nginx', 'Ingress/errata/spec/ingressClassName'],
  ['ingress.tlsSecret', 'certificate', 'Ingress/errata/spec/tls/0/secretName'],
  ['ingress.annotations.body', '20m', 'Ingress/errata/metadata/annotations/body'],
  ['networkPolicy.gatewayNamespace', 'infra', `${NAMESPACES}/0/${NAMESPACE}`],
  ['networkPolicy.monitoringNamespace', 'watch', `${NAMESPACES}/1/${NAMESPACE}`],
];

/** Arguments that Helm must refuse: values by the schema, and an old cluster. */
export const REFUSED: readonly (readonly string[])[] = [
  set('replica=3'),
  set('volume.storageClass=fast'),
  set('replicas=2'),
  set('image=registry.example/errata'),
  set('image=registry.example/errata@sha256:12'),
  set('gateway.enabled=true'),
  set('ingress.enabled=true', 'hosts.console=errata.example'),
  set('settings.ERRATA_SPOOL_MAX_BYTES=1000000'),
  ...Object.values(SETTINGS)
    .filter(({ isSecret }) => isSecret)
    .map(({ name }) => set(`settings.${name}=text`)),
  ['--kube-version', '1.29.9'],
];

/** Edits that make the chart differ from a root. */
export const UNEQUAL: readonly (Edit & { readonly root: string })[] = [
  { root: 'overlays/single', file: 'values.yaml', from: 'replicas: 1', to: 'replicas: 0' },
  { root: 'overlays/single', file: 'templates/_helpers.tpl', from: 'trunc 10', to: 'trunc 8' },
  { root: 'overlays/single', file: 'templates/config-map.yaml', from: ': keep', to: ': remove' },
  { root: 'overlays/single', file: 'templates/services.yaml', from: 'port: 80,', to: 'port: 8080,' },
  { root: 'overlays/single', file: 'templates/disruption-budget.yaml', from: 'spec:', to: 'other:' },
  { root: 'overlays/replicated', file: 'templates/statefulset.yaml', from: '"2Gi"', to: '"1Gi"' },
  { root: 'replicated with gateway', file: 'templates/routes.yaml', from: ', method: POST', to: '' },
  { root: 'replicated with monitoring', file: 'alerts.yaml', from: '> 900', to: '> 9000' },
  { root: 'example', file: 'example.yaml', from: 'networkPolicy: { enabled: true }', to: '' },
];

/** Names that are the same in each release; a release has the others for itself. */
export const SHARED = ['/app.kubernetes.io/part-of', '/spec/containers/0/name', '/spec/groups/0/name'];

/** Edits that are faults of the chart itself: its versions, unused values, and names of another release. */
export const FAULTS: readonly Edit[] = [
  { file: 'Chart.yaml', from: '\nversion: ', to: '\nversion: v' },
  { file: 'Chart.yaml', from: '\nappVersion: ', to: '\nappVersion: 1' },
  { file: 'templates/NOTES.txt', from: '.Values.secret', to: '.Values.secret.name' },
  { file: 'templates/routes.yaml', from: 'ingressClassName: {{ quote . }}', to: 'ingressClassName: nginx-2' },
  {
    file: 'templates/network-policy.yaml',
    from: '{{ include "errata.selector" $ }}',
    to: '{ app.kubernetes.io/name: errata }',
  },
  { file: 'templates/services.yaml', from: 'name: {{ $name }}-pods', to: 'name: errata-pods' },
  { file: 'templates/monitoring.yaml', from: '(printf "data-%s-" $name)', to: '"data-errata-"' },
];
