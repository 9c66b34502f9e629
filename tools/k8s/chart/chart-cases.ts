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
  ['monitoring.labels.release', 'prometheus', 'PodMonitor/errata/metadata/labels/release'],
  ['monitoring.labels.release', 'prometheus', 'PrometheusRule/errata/metadata/labels/release'],
  ['networkPolicy.monitoringNamespace', 'watch', `${NAMESPACES}/1/${NAMESPACE}`],
];

const SECRETS = Object.values(SETTINGS)
  .filter(({ isSecret }) => isSecret)
  .map(({ name }) => name);
/** Arguments that Helm must refuse, and the words by which its message names each fault: one run finds many. */
export const REFUSED: readonly (readonly [readonly string[], readonly string[]])[] = [
  [
    set(
      'replica=3',
      'volume.storageClass=fast',
      'replicas=2',
      'image=registry.example/errata',
      'gateway.enabled=true',
      'settings.ERRATA_SPOOL_MAX_BYTES=1000000',
      ...SECRETS.map((name) => `settings.${name}=text`),
    ),
    // Several replicas need postgresql; a gateway needs both hosts.
    'replica storageClass postgresql image console application ERRATA_SPOOL_MAX_BYTES'
      .split(' ')
      .concat(SECRETS),
  ],
  [
    set('image=registry.example/errata@sha256:12', 'ingress.enabled=true', 'hosts.console=errata.example'),
    ['image', 'application'],
  ],
  [['--kube-version', '1.29.9'], ['incompatible with Kubernetes']],
];

/** Edits of the chart, and a part of the finding of each. All are made in one copy, so no other edit may cause it. */
export const FAULTS: readonly (Edit & { readonly finding: string })[] = (
  [
    ['values.yaml', 'replicas: 1', 'replicas: 0', 'single: the chart lacks StatefulSet/errata/spec/replicas'],
    ['templates/_helpers.tpl', 'trunc 10', 'trunc 8', 'single: the chart lacks ConfigMap/errata-'],
    ['templates/config-map.yaml', ': keep', ': remove', 'resource-policy: "remove"'],
    [
      'templates/services.yaml',
      'port: 80,',
      'port: 8080,',
      'chart lacks Service/errata/spec/ports/0/port: 80',
    ],
    [
      'templates/disruption-budget.yaml',
      'spec:',
      'other:',
      'the manifests lack PodDisruptionBudget/errata/other',
    ],
    [
      'templates/statefulset.yaml',
      '"2Gi"',
      '"1Gi"',
      'replicated: the chart lacks StatefulSet/errata/spec/volume',
    ],
    [
      'templates/routes.yaml',
      ', method: POST',
      '',
      'with gateway: the chart lacks HTTPRoute/errata-tunnel/spec',
    ],
    [
      'alerts.yaml',
      '> 900',
      '> 9000',
      'with monitoring: the chart lacks PrometheusRule/errata/spec/groups/0',
    ],
    [
      'example.yaml',
      'networkPolicy: { enabled: true }',
      '',
      'example: the chart lacks NetworkPolicy/errata/',
    ],
    ['Chart.yaml', '\nversion: ', '\nversion: v', 'versions: version'],
    ['Chart.yaml', '\nappVersion: ', '\nappVersion: 1', 'versions: appVersion'],
    ['templates/routes.yaml', 'ClassName: {{ quote . }}', 'ClassName: a', 'values: ingress.class nginx'],
    [
      'templates/network-policy.yaml',
      '{{ include "errata.selector" $ }}',
      '{ a: errata }',
      'shop: NetworkPolicy/',
    ],
    ['templates/services.yaml', '{{ $name }}-pods', 'errata-pods', 'shop: Service/errata-pods'],
    [
      'templates/monitoring.yaml',
      'merge (.labels | default dict)',
      'merge dict',
      'values: monitoring.labels',
    ],
    [
      'templates/routes.yaml',
      ', labels: {{ include "errata.labels" $ }}',
      '',
      'shop: HTTPRoute/shop-errata lacks',
    ],
  ] as const
).map(([file, from, to, finding]) => ({ file, from, to, finding }));

/** A fault that stops `helm template`, too. */
export const LINT_FAULT: Edit = {
  file: 'templates/NOTES.txt',
  from: '.Values.secret',
  to: '.Values.secret.name',
};
