import { SETTINGS } from '../../../backend/src/config/settings.ts';
import { FIXED } from '../rules/settings.ts';
import type { Edit } from './chart.ts';

export const set = (...values: readonly string[]): readonly string[] =>
  values.flatMap((value) => ['--set', value]);
const REPLICATED = ['replicas=3', 'postgresql=true'];
/** The placeholders of the components. */
const HOSTS = ['hosts.console=errata.example', 'hosts.application=app.example'];
const TRUST_PROXY = 'settings.ERRATA_TRUST_PROXY=10.0.0.0/8';
const COMPONENTS: Readonly<Record<string, readonly string[]>> = {
  'error-pages': ['errorPages.enabled=true', TRUST_PROXY],
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

const TEMPLATE = 'StatefulSet/spec/template';
const POD = `${TEMPLATE}/spec`;
const CONTAINER = `${POD}/containers/0`;
const CLAIM = 'StatefulSet/spec/volumeClaimTemplates/0/spec';
const NAMESPACES = 'NetworkPolicy/spec/ingress';
const NAMESPACE = 'from/0/namespaceSelector/matchLabels/kubernetes.io/metadata.name';
const PODS_NEAR = 'podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey';
/** Values, and the fields that must have them in the chart with all objects. The names of objects are left out. */
export const VALUES: readonly (readonly [string, ...string[]])[] = [
  ['image=registry.internal/errata:1', `${CONTAINER}/image`],
  ['imagePullSecrets[0].name=registry', `${POD}/imagePullSecrets/0/name`],
  ['secret=keys', `${CONTAINER}/envFrom/1/secretRef/name`, `${CONTAINER}/env/4/valueFrom/secretKeyRef/name`],
  ['settings.LOG_LEVEL=warn', 'ConfigMap/data/LOG_LEVEL'],
  ['resources.limits.memory=1Gi', `${CONTAINER}/resources/limits/memory`],
  ['volume.size=32Gi', `${CLAIM}/resources/requests/storage`],
  ['volume.class=fast', `${CLAIM}/storageClassName`],
  ['extraVolumes[0].configMap.name=ca,extraVolumes[0].name=ca', `${POD}/volumes/1/name`],
  ['extraVolumeMounts[0].mountPath=/ca,extraVolumeMounts[0].name=ca', `${CONTAINER}/volumeMounts/2/name`],
  ['serviceAccount.name=robot', `${POD}/serviceAccountName`, 'ServiceAccount/metadata/name'],
  ['serviceAccount.annotations.role=reader', 'ServiceAccount/metadata/annotations/role'],
  ['podAnnotations.mesh=off', `${TEMPLATE}/metadata/annotations/mesh`],
  ['podLabels.team=web', `${TEMPLATE}/metadata/labels/team`],
  ['podSecurityContext.fsGroupChangePolicy=Always', `${POD}/securityContext/fsGroupChangePolicy`],
  ['priorityClassName=high', `${POD}/priorityClassName`],
  ['nodeSelector.disk=ssd', `${POD}/nodeSelector/disk`],
  ['tolerations[0].key=errors', `${POD}/tolerations/0/key`],
  [`affinity.${PODS_NEAR}=zone`, `${POD}/affinity/${PODS_NEAR.replaceAll(/\W+/g, '/')}`],
  ['topologySpreadConstraints[0].topologyKey=rack', `${POD}/topologySpreadConstraints/0/topologyKey`],
  ['gateway.namespace=infra', 'HTTPRoute/spec/parentRefs/0/namespace'],
  ['ingress.class=nginx', 'Ingress/spec/ingressClassName'],
  ['ingress.tlsSecret=certificate', 'Ingress/spec/tls/0/secretName'],
  ['ingress.annotations.body=20m', 'Ingress/metadata/annotations/body'],
  ['networkPolicy.gatewayNamespace=infra', `${NAMESPACES}/0/${NAMESPACE}`],
  ['networkPolicy.gatewayCidrs[0]=10.0.0.0/8', `${NAMESPACES}/0/from/1/ipBlock/cidr`],
  ['networkPolicy.monitoringNamespace=watch', `${NAMESPACES}/1/${NAMESPACE}`],
  ['monitoring.labels.a=b', 'PodMonitor/metadata/labels/a', 'PrometheusRule/metadata/labels/a'],
];

/** Values with which a field, or an object, must not exist. */
export const ABSENT: readonly (readonly [string, string])[] = [
  ['podSecurityContext.runAsUser=null', `${POD}/securityContext/runAsUser`], // OpenShift
  ['errorPages.enabled=false', `${CONTAINER}/ports/2/containerPort`],
  ['podSecurityContext=null', `${POD}/securityContext/fsGroup`],
  ['serviceAccount.create=false', 'ServiceAccount/metadata/name'],
  ['resources.limits=null', `${CONTAINER}/resources/limits/memory`],
];

const NOT_IN_CONFIG_MAP = Object.values(SETTINGS)
  .filter(({ name, isSecret }) => isSecret || FIXED.has(name))
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
      'settings.HOST=127.0.0.1',
      'podLabels.app\\.kubernetes\\.io/instance=other',
      ...NOT_IN_CONFIG_MAP.map((name) => `settings.${name}=text`),
    ),
    // Several replicas need postgresql; a gateway needs both hosts.
    'replica storageClass postgresql image console application ERRATA_SPOOL_MAX_BYTES HOST instance'
      .split(' ')
      .concat(NOT_IN_CONFIG_MAP),
  ],
  [
    set('image=registry.example/errata@sha256:12', 'ingress.enabled=true', 'hosts.console=errata.example'),
    ['image', 'application'],
  ],
  [set('errorPages.enabled=true'), ['ERRATA_TRUST_PROXY']],
  [['--kube-version', '1.29.9'], ['incompatible with Kubernetes']],
];

/** Edits of each file, and a part of the finding. All are made in one copy, so no other edit may cause it. */
const EDITS: Readonly<Record<string, readonly (readonly [from: string, to: string, finding: string])[]>> = {
  'values.yaml': [
    ['replicas: 1', 'replicas: 0', 'single: the chart lacks StatefulSet/errata/spec/replicas'],
    ['podLabels: {}', 'podLabels: {}\nglobal: {}', 'values: global has no case'],
  ],
  'Chart.yaml': [
    ['\nversion: ', '\nversion: v', 'versions: version'],
    ['\nappVersion: ', '\nappVersion: 1', 'versions: appVersion'],
  ],
  'alerts.yaml': [
    ['> 900', '> 9000', 'with monitoring: the chart lacks PrometheusRule/errata/spec/groups/0'],
  ],
  'example.yaml': [
    ['networkPolicy: { enabled: true }', '', 'example: the chart lacks NetworkPolicy/errata/'],
  ],
  'templates/_helpers.tpl': [['trunc 10', 'trunc 8', 'single: the chart lacks ConfigMap/errata-']],
  'templates/config-map.yaml': [[': keep', ': remove', 'resource-policy: "remove"']],
  'templates/disruption-budget.yaml': [
    ['spec:', 'other:', 'manifests lack PodDisruptionBudget/errata/other'],
  ],
  'templates/monitoring.yaml': [
    ['merge (.labels | default dict)', 'merge dict', 'values: monitoring.labels'],
  ],
  'templates/network-policy.yaml': [['{{ include "errata.selector" $ }}', '{ a: b }', 'shop: NetworkPolicy']],
  'templates/routes.yaml': [
    [', method: POST', '', 'with gateway: the chart lacks HTTPRoute/errata-tunnel/spec'],
    [', labels: {{ include "errata.labels" $ }}', '', 'shop: HTTPRoute/shop-errata lacks'],
    ['ClassName: {{ quote . }}', 'ClassName: a', 'values: ingress.class=nginx'],
    [
      'with .Values.ingress',
      'with $.Values.ingress.enabled | ternary .Values.ingress dict',
      'without sections',
    ],
  ],
  'templates/services.yaml': [
    [
      'name: error-pages, port: 3080',
      'name: error-pages, port: 80',
      'with error-pages: the chart lacks Service/',
    ],
    ['port: 80,', 'port: 8080,', 'chart lacks Service/errata/spec/ports/0/port: 80'],
    ['{{ $name }}-pods', 'errata-pods', 'shop: Service/errata-pods'],
  ],
  'templates/statefulset.yaml': [
    ['"2Gi"', '"1Gi"', 'replicated: the chart lacks StatefulSet/errata/spec/volume'],
    ['key: ERRATA_TRUST_PROXY', 'key: HOST', 'with error-pages: the chart lacks StatefulSet/'],
    ['"imagePullSecrets" ', '', 'values: imagePullSecrets'],
  ],
};
export const FAULTS = Object.entries(EDITS).flatMap(([file, edits]) =>
  edits.map(([from, to, finding]) => ({ file, from, to, finding })),
);

/** A fault that stops `helm template`, too. */
export const LINT_FAULT: Edit = {
  file: 'templates/NOTES.txt',
  from: '.Values.secret',
  to: '.Values.secret.name',
};
